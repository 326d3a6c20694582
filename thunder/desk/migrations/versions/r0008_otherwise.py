"""Released documents that would come out otherwise."""

import sqlalchemy as sa
from alembic import op

revision = "r0008"
down_revision = "r0007"


def upgrade() -> None:
    """Make the table."""
    places = ("masked", "opened", "relettered", "questions")
    op.create_table(
        "otherwise",
        sa.Column("document_id", sa.String(32), sa.ForeignKey("documents.id"), primary_key=True),
        sa.Column("compared", sa.Float, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in places),
    )


def downgrade() -> None:
    """Take the table out."""
    op.drop_table("otherwise")
