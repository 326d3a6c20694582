"""비트코인개인지갑: addresses of crypto wallets, and keys and transaction ids beside a cue.

What is one is a row of the formats. Base58Check, where an address has it, raises the score and
never vetoes, for judgments copy addresses with slips. An address may be broken over a line.
"""

from collections.abc import Iterator

from thunder.identifiers import checks, formats
from thunder.text.spans import Span

NAME = "wallet"
ROWS = formats.Recogniser(NAME)


def find(text: str) -> Iterator[Span]:
    """Yield the wallet addresses, private keys and transaction ids of *text*."""
    for row in ROWS.rows:
        for match in row.matches(text):
            start, pieces = match.start(), match[0].split()
            first, whole = pieces[0], "".join(pieces)
            first_end = start + len(first)
            alone = row.score(text, start, first_end, first)
            joined = row.score(text, start, match.end(), whole)
            goes_on = checks.is_base58(whole) or _goes_on(first, whole[len(first) :])
            if joined and (first == whole or not alone or goes_on):
                yield Span(start, match.end(), row.label, joined)
            elif alone:
                yield Span(start, first_end, row.label, alone)


def _goes_on(first: str, second: str) -> bool:
    """Return whether the second line looks like more of an address and not like a word."""
    if checks.is_base58(first):
        return False
    return any(map(str.isdigit, second)) and any(map(str.isalpha, second))
