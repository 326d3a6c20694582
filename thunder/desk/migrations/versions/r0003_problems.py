"""Why a document was not de-identified."""

import sqlalchemy as sa
from alembic import op

revision = "r0003"
down_revision = "r0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column(
        "documents", sa.Column("problem", sa.String(200), nullable=False, server_default="")
    )


def downgrade() -> None:
    """Take the column out."""
    with op.batch_alter_table("documents") as table:
        table.drop_column("problem")
