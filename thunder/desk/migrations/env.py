"""What Alembic runs: the steps, over the connection that the store gives."""

from alembic import context

from thunder.desk.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
