"""The desk's folder: database, released results, all for its owner alone; and how it is opened."""

import os
from dataclasses import dataclass
from pathlib import Path

from thunder.desk.policy import read
from thunder.desk.store import Store
from thunder.desk.vault import Vault, read_key

FOLDER = Path("thunder-desk")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a desk is: its *folder*, another *database* than the one in it, a *key*'s file."""

    folder: Path = FOLDER
    database: str = ""
    key: Path | None = None

    @property
    def url(self) -> str:
        """The database, as SQLAlchemy takes it."""
        if self.database.startswith("postgresql://"):
            return self.database.replace("postgresql://", "postgresql+psycopg://", 1)
        return self.database or f"sqlite:///{self.folder / 'desk.db'}"

    @property
    def releases(self) -> Path:
        """The folder of what was released."""
        return self.folder / "released"

    def open(self, *, two_people: bool = True) -> Store:
        """Return the store, folder and tables made where they are not there.

        ValueError for a key that is none, ``vault.WrongKey`` for another one than it was made
        with, ``settings.config.ConfigError`` for a bad ``desk.toml``, OSError where folder or key
        cannot be used.
        """
        vault = Vault(read_key(self.key) if self.key else None)
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.chmod(self.folder, 0o700)
        policy = read(self.folder)
        return Store(self.url, vault, two_people=two_people, policy=policy)
