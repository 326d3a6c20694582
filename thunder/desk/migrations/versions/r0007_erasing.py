"""When a document took its last step, when its original was deleted, and its case numbers.

Of what is there already the last step counts from now on: nothing is deleted too early.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "r0007"
down_revision = "r0006"


def upgrade() -> None:
    """Add the columns, make the table."""
    for name in ("moved", "erased"):
        op.add_column("documents", sa.Column(name, sa.Float, nullable=False, server_default="0"))
    documents = sa.table("documents", sa.column("moved", sa.Float))
    op.execute(documents.update().values(moved=time.time()))
    queued = ["state", "holder_id", "risk", "added", "moved", "id"]
    op.create_index("documents_queue", "documents", queued)
    op.create_table(
        "cases",
        sa.Column("document_id", sa.String(32), sa.ForeignKey("documents.id"), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True, index=True),
    )


def downgrade() -> None:
    """Take them out."""
    op.drop_table("cases")
    op.drop_index("documents_queue", "documents")
    with op.batch_alter_table("documents") as table:
        table.drop_column("erased")
        table.drop_column("moved")
