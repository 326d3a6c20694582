"""The tables of the desk, the same in SQLite and PostgreSQL; ``migrations`` makes them.

What holds words of a judgment is bytes, sealed by ``vault``. Times are seconds since 1970 (UTC).
"""

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """What all tables share."""


class User(Base):
    """Who works at the desk: name, role (``states.Role``), argon2 hash of the password.

    ``subject`` binds whom the court's sign-on vouches for; ``standing``: ``accounts.Standing``.
    """

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    password: Mapped[str] = mapped_column(String(255))
    failures: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[float] = mapped_column(default=0.0)
    standing: Mapped[str] = mapped_column(String(16), default="active")
    subject: Mapped[str | None] = mapped_column(String(64), unique=True)


class Session(Base):
    """Who is signed in: the SHA-256 of the cookie, and the token that forms have to bring back."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    expires: Mapped[float]
    user: Mapped[User] = relationship()


class Token(Base):
    """A program that may ask: its name, and the SHA-256 of what it shows."""

    __tablename__ = "tokens"
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    added: Mapped[float]


class Document(Base):
    """A judgment on its way: sealed title and original, state, and who has it until when.

    ``moved``: its last step; ``erased``: when original and decisions were deleted, 0 before.

    ``route``: ``policy.Route``. ``reading``: whose decisions hold: 1 the first reader's, 2 those of
    the second, who does not see them, 3 those of who settled the two. Wordings that a sampled
    reading found ``missed``, places at which two readings ``differed``, wordings that the first
    of them left open (``leaked``), whether the ``planted`` (sealed) leak was ``caught``: None
    before that is known.
    """

    __tablename__ = "documents"
    __table_args__ = (  # lists are sorted without the documents, which are large
        Index("documents_queue", "state", "holder_id", "risk", "added", "moved", "id"),
    )
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[bytes]
    original: Mapped[bytes]
    profile: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(16), index=True)
    risk: Mapped[int]
    characters: Mapped[int]
    version: Mapped[int] = mapped_column(default=0)
    holder_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    lease_until: Mapped[float] = mapped_column(default=0.0)
    reviewer_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    added: Mapped[float]
    problem: Mapped[str] = mapped_column(String(200), default="")
    moved: Mapped[float] = mapped_column(default=0.0)
    erased: Mapped[float] = mapped_column(default=0.0)
    route: Mapped[str] = mapped_column(String(8), default="quick")
    reading: Mapped[int] = mapped_column(default=1)
    second_id: Mapped[int | None]
    missed: Mapped[int | None]
    differed: Mapped[int | None]
    leaked: Mapped[int | None]
    caught: Mapped[int | None]
    planted: Mapped[bytes | None]


class Otherwise(Base):
    """A released document that would come out otherwise, by the comparison that was made last."""

    __tablename__ = "otherwise"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id"), primary_key=True)
    compared: Mapped[float]
    masked: Mapped[int]
    opened: Mapped[int]
    relettered: Mapped[int]
    questions: Mapped[int]


class Case(Base):
    """What a document is found by: the keyed digest of a case number in its title or heading."""

    __tablename__ = "cases"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id"), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)


class Taken(Base):
    """What came in once and does not come in again: the keyed digest of its content."""

    __tablename__ = "taken"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    added: Mapped[float]


class File(Base):
    """The file that a document came in, sealed, where its result is to be such a one again."""

    __tablename__ = "files"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id"), primary_key=True)
    format: Mapped[str] = mapped_column(String(8))
    content: Mapped[bytes]


class Decision(Base):
    """What somebody decided: sealed JSON; ``status`` is done, undone or dropped."""

    __tablename__ = "decisions"
    __table_args__ = (UniqueConstraint("document_id", "number"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id"), index=True)
    number: Mapped[int]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    status: Mapped[str] = mapped_column(String(8), default="done")
    content: Mapped[bytes]
    reading: Mapped[int] = mapped_column(default=1)


class AuditEntry(Base):
    """One line of the audit, and the SHA-256 of it with the digest of the line before."""

    __tablename__ = "audit"
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entry: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))


class Chain(Base):
    """The audit's end, which is locked while a line is added; and the audit's secret, sealed."""

    __tablename__ = "chain"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    witness: Mapped[bytes]
