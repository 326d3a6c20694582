"""Tokens of programs."""

import sqlalchemy as sa
from alembic import op

revision = "r0002"
down_revision = "r0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "tokens",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("added", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Take the table out."""
    op.drop_table("tokens")
