"""The steps by which an older database becomes one of today (Alembic)."""
