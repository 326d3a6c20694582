"""Accounts that sign on by the court, and accounts that may be used no more."""

import sqlalchemy as sa
from alembic import op

revision = "r0004"
down_revision = "r0003"


def upgrade() -> None:
    """Add the columns."""
    standing = sa.Column("standing", sa.String(16), nullable=False, server_default="active")
    op.add_column("users", standing)
    op.add_column("users", sa.Column("subject", sa.String(64), nullable=True))
    op.create_index("users_subject", "users", ["subject"], unique=True)


def downgrade() -> None:
    """Take the columns out."""
    op.drop_index("users_subject", "users")
    with op.batch_alter_table("users") as table:
        table.drop_column("subject")
        table.drop_column("standing")
