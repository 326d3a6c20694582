"""What a watched folder has brought already."""

import sqlalchemy as sa
from alembic import op

revision = "r0005"
down_revision = "r0004"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "taken",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("added", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Take the table out."""
    op.drop_table("taken")
