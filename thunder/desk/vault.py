"""Sealing of what holds words of judgments: AES-256-GCM under the court's key, if it sets one."""

import hmac
import os
import secrets
import stat
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_PLAIN, _SEALED = b"\0", b"\1"
_NONCE, _KEY = 12, 32


class WrongKey(ValueError):
    """What is sealed cannot be opened: another key, none, or changed bytes."""


class Vault:
    """Seals and opens bytes; without *key* they stand as they are, in a database of mode 0600.

    What is sealed is bound to its *place* (a document's id and column): moved elsewhere it does
    not open.
    """

    def __init__(self, key: bytes | None = None) -> None:
        if key is not None and len(key) != _KEY:
            raise ValueError(f"a key has {_KEY} bytes, not {len(key)}")
        self._key = key
        self._cipher = AESGCM(key) if key else None

    @property
    def is_sealing(self) -> bool:
        """Whether the court has set a key."""
        return self._cipher is not None

    def seal(self, text: str, *, place: str) -> bytes:
        """Return *text* as it is stored."""
        return self.seal_bytes(text.encode("utf-8"), place=place)

    def seal_bytes(self, content: bytes, *, place: str) -> bytes:
        """Return *content* as it is stored."""
        if self._cipher is None:
            return _PLAIN + content
        nonce = os.urandom(_NONCE)
        return _SEALED + nonce + self._cipher.encrypt(nonce, content, place.encode())

    def open(self, content: bytes, *, place: str) -> str:
        """Return what ``seal`` was given; WrongKey where that cannot be known."""
        return self.open_bytes(content, place=place).decode("utf-8")

    def open_bytes(self, content: bytes, *, place: str) -> bytes:
        """Return what ``seal_bytes`` was given; WrongKey where that cannot be known."""
        if content[:1] == _PLAIN and self._cipher is None:
            return content[1:]
        if content[:1] != _SEALED or self._cipher is None:
            raise WrongKey(
                "the desk's key does not fit what is stored: give the key it was made with"
            )
        nonce, sealed = content[1 : 1 + _NONCE], content[1 + _NONCE :]
        try:
            return self._cipher.decrypt(nonce, sealed, place.encode())
        except InvalidTag:
            raise WrongKey("what is stored was changed, or sealed by another key") from None

    def digest(self, text: str, *, salt: str) -> str:
        """Return the HMAC-SHA256 of *text* under the key and *salt*."""
        key = (self._key or b"") + salt.encode()
        return hmac.digest(key, text.encode("utf-8"), "sha256").hex()


def read_key(path: Path) -> bytes:
    """Return the key in the file *path*: 64 hexadecimal digits, readable by its owner alone.

    ValueError says what is wrong with it.
    """
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ValueError(f"{path}: others can read the key: chmod 600 {path}")
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        raise ValueError(f"{path}: a key is {2 * _KEY} hexadecimal digits") from None
    if len(key) != _KEY:
        raise ValueError(f"{path}: a key is {2 * _KEY} hexadecimal digits")
    return key


def new_key() -> str:
    """Return a new key as ``read_key`` takes it."""
    return secrets.token_hex(_KEY)
