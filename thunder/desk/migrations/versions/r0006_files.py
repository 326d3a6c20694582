"""Originals as the files they came in, for those whose result is to be such a file again."""

import sqlalchemy as sa
from alembic import op

revision = "r0006"
down_revision = "r0005"


def upgrade() -> None:
    """Make the table."""
    document = sa.ForeignKey("documents.id")
    op.create_table(
        "files",
        sa.Column("document_id", sa.String(32), document, primary_key=True),
        sa.Column("format", sa.String(8), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Take the table out."""
    op.drop_table("files")
