"""비트코인개인지갑: addresses of crypto wallets, and keys and transaction ids beside a cue.

An address is known by its form; Base58Check, where an address has it, raises the score and never
vetoes, for judgments copy addresses with slips. Without a form, a cue such as 지갑주소 decides.
"""

import hashlib
import re
from collections.abc import Iterator

from thunder.identifiers.cues import NAMED, is_near
from thunder.taxonomy.lexicon import expression
from thunder.text import lazy
from thunder.text.spans import Span

NAME = "wallet"
PIERCES_SHIELDS = True
LABEL = "비트코인개인지갑"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

_CANDIDATE = lazy.compile(
    r"(?<![A-Za-z0-9/=_&%@.-])(?:bitcoincash:|bchtest:)?[A-Za-z0-9]{8,}"
    r"(?:[ ]?\r?\n[ ]{0,2}[A-Za-z0-9]{3,})?(?![A-Za-z0-9_@/])"
)
_LONG = lazy.compile(
    "[A-Za-z0-9][A-Za-z0-9]{12}"
)  # one half of any address that is broken over a line
_BREAK = lazy.compile(r"[ ]?\r?\n[ ]{0,2}")
_FORMS = lazy.compile(
    r"0x[0-9a-fA-F]{40}"  # Ethereum and what runs on its machine
    r"|(?:bc|tb|ltc)1[02-9ac-hj-np-z]{20,71}|(?:BC|TB|LTC)1[02-9AC-HJ-NP-Z]{20,71}"  # SegWit
    r"|(?:bitcoincash:)?[qp][02-9ac-hj-np-z]{41}|addr1[02-9ac-hj-np-z]{50,100}"
    r"|(?:cosmos|terra|osmo|kava|link)1[02-9ac-hj-np-z]{38}"
)
_BASE58_FORMS = lazy.compile(
    rf"[13][{BASE58}]{{25,34}}|T[{BASE58}]{{33}}|r[{BASE58}]{{24,34}}"  # Bitcoin, TRON, Ripple
    rf"|[LMDA][{BASE58}]{{33}}|X[{BASE58}]{{33}}"  # Litecoin, Dogecoin, Dash
    rf"|[48][{BASE58}]{{94}}|[5KL][{BASE58}]{{50,51}}"  # Monero; private keys
)
_STELLAR = lazy.compile("G[A-Z2-7]{55}")
_LOOSE = lazy.compile(r"[13][A-Za-z0-9]{25,36}")  # an address miscopied: with 0, O, I or l in it
_CUE = expression(
    r"지갑|월렛|[Ww]allet|WALLET|<wallet-of> ?주소|개인 ?키|비밀 ?키"
    r"|[Pp]rivate ?[Kk]ey|USDT|BTC|ETH|TRX|XRP"
)
_TRANSACTION = expression("<transaction>|[Tt][Xx](?:[Ii][Dd]|[Hh]ash)")
_ON_CHAIN = expression("[Tt][Xx]|<chain>")
_COIN = expression("<coin-cue>|[Tt][Xx]")
_HEX = lazy.compile(r"(?:0x)?[0-9a-fA-F]{64}")
_REACH = 40  # code points between a cue and its address


def find(text: str) -> Iterator[Span]:
    """Yield the wallet addresses, private keys and transaction ids of *text*."""
    if not _LONG.search(text):
        return
    for match in _CANDIDATE.finditer(text):
        found = _best(text, match)
        if found:
            end, score = found
            yield Span(match.start(), end, LABEL, score)


def _best(text: str, match: re.Match[str]) -> tuple[int, float] | None:
    """Return end and score of the address that begins here, over the line end if it must be."""
    line_end = _BREAK.search(match[0])
    if line_end is None:
        score = _score(text, match.start(), match.end(), match[0])
        return (match.end(), score) if score else None
    first, second = match[0][: line_end.start()], match[0][line_end.end() :]
    first_end = match.start() + len(first)
    alone = _score(text, match.start(), first_end, first)
    joined = _score(text, match.start(), match.end(), first + second)
    if joined and (not alone or has_check(first + second) or _goes_on(first, second)):
        return match.end(), joined
    return (first_end, alone) if alone else None


def _goes_on(first: str, second: str) -> bool:
    """Return whether the second line looks like more of an address and not like a word."""
    if has_check(first):
        return False
    return any(map(str.isdigit, second)) and any(map(str.isalpha, second))


def _score(text: str, start: int, end: int, value: str) -> float:
    if len(value) < 25:
        return 0.0
    named = is_near(text, start, end, _CUE, before=_REACH, after=10)
    if _FORMS.fullmatch(value):
        return 0.99 if named else NAMED
    if _BASE58_FORMS.fullmatch(value) and (named or has_check(value)):
        return 0.99
    if _BASE58_FORMS.fullmatch(value) and _is_mixed(value):
        return 0.85
    if _STELLAR.fullmatch(value) and not value.isalpha():
        return NAMED if named else 0.8
    if _HEX.fullmatch(value):
        return _score_hash(text, start, end, named=named)
    if _LOOSE.fullmatch(value) and value[1:] != value[1:].lower():
        return 0.9 if named else 0.6 if _is_mixed(value) else 0.0
    return 0.85 if named and len(value) <= 110 and _is_scrambled(value) else 0.0


def _score_hash(text: str, start: int, end: int, *, named: bool) -> float:
    """Return the score of 64 hexadecimal digits: a transaction's, or a file's, which stays."""
    if named or is_near(text, start, end, _ON_CHAIN, before=_REACH):
        return 0.9
    near_coin = is_near(text, start, end, _COIN, before=120, after=40)
    return 0.8 if near_coin and is_near(text, start, end, _TRANSACTION, before=_REACH) else 0.0


def _is_mixed(value: str) -> bool:
    """Return whether capitals, small letters and digits all occur, as chance would have it."""
    return all(any(map(is_kind, value)) for is_kind in (str.isupper, str.islower, str.isdigit))


def _is_scrambled(value: str) -> bool:
    """Return whether letters and digits alternate often, which words and plain numbers do not."""
    turns = len(re.findall("[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])", value))
    return turns >= 4


def has_check(value: str) -> bool:
    """Return whether *value* is Base58 and ends in the check of the rest (Bitcoin, TRON …)."""
    if not 25 <= len(value) <= 36 or not set(value) <= set(BASE58):
        return False
    number = 0
    for char in value:
        number = number * 58 + BASE58.index(char)
    if number.bit_length() > 200:
        return False
    raw = number.to_bytes(25, "big")
    return checksum(raw[:21]) == raw[21:]


def checksum(payload: bytes) -> bytes:
    """Return the four bytes that Base58Check appends: SHA-256 twice, cut."""
    return hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
