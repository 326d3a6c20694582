"""Regular expressions that are compiled when they are first asked, and skipped where none fits.

A toolkit of some eight hundred expressions spends more on compiling them than on a short judgment;
of most judgments it asks a third. And most texts hold none of the words without which an expression
fits nowhere: to look for two words costs a hundredth of looking for the expression.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_OF_WHOLE_TEXTS = ("search", "finditer")


def compile(pattern: str, flags: int = 0, *, needs: Sequence[str] = ()) -> re.Pattern[str]:
    """Return *pattern* as ``re.compile`` does, compiled when it is first asked anything.

    *needs* are strings of which every match holds at least one (a test sees to it): a text without
    them is not searched. Only ``search`` and ``finditer`` in a whole text go by them.
    """
    return cast("re.Pattern[str]", Expression(pattern, flags, tuple(needs)))


class Expression:
    """What ``compile`` returns: it answers as a ``re.Pattern`` does."""

    def __init__(self, pattern: str, flags: int, needs: tuple[str, ...]) -> None:
        self.pattern, self.given_flags, self.needs = pattern, flags, needs

    def __getattr__(self, name: str) -> Any:
        # Only for what is not here: afterwards each method is found at once, as a pattern's is.
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.given_flags)
        self.__dict__["compiled"] = compiled
        for method in _METHODS:
            if not (self.needs and method in _OF_WHOLE_TEXTS):
                self.__dict__[method] = getattr(compiled, method)
        return self.__dict__.get(name) or getattr(compiled, name)

    def finditer(self, text: str, *where: int) -> Iterator[re.Match[str]]:
        """Yield the matches in *text*, or in a part of it."""
        return iter(()) if self._lacks(text, where) else self.compiled.finditer(text, *where)

    def search(self, text: str, *where: int) -> re.Match[str] | None:
        """Return the first match in *text*, or in a part of it."""
        return None if self._lacks(text, where) else self.compiled.search(text, *where)

    def _lacks(self, text: str, where: tuple[int, ...]) -> bool:
        return bool(self.needs) and not where and not any(need in text for need in self.needs)
