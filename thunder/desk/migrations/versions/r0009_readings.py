"""Routes, second readings, and what is known of the readers."""

import sqlalchemy as sa
from alembic import op

revision = "r0009"
down_revision = "r0008"

_NUMBERS = ("second_id", "missed", "differed", "leaked", "caught")


def upgrade() -> None:
    """Add the columns."""
    route = sa.Column("route", sa.String(8), nullable=False, server_default="quick")
    op.add_column("documents", route)
    reading = sa.Column("reading", sa.Integer, nullable=False, server_default="1")
    op.add_column("documents", reading)
    for name in _NUMBERS:
        op.add_column("documents", sa.Column(name, sa.Integer, nullable=True))
    op.add_column("documents", sa.Column("planted", sa.LargeBinary, nullable=True))
    reading = sa.Column("reading", sa.Integer, nullable=False, server_default="1")
    op.add_column("decisions", reading)


def downgrade() -> None:
    """Take the columns out."""
    with op.batch_alter_table("documents") as table:
        for name in ("route", "reading", "planted", *_NUMBERS):
            table.drop_column(name)
    with op.batch_alter_table("decisions") as table:
        table.drop_column("reading")
