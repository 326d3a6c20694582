"""Korean particles whose form depends on the sound before them, and their agreement."""

import re
from functools import cache
from typing import NamedTuple

from thunder.text import lazy
from thunder.text.korean import final_sound

_END = r"(?![가-힣A-Za-z0-9一-龥])"
_DEPARTMENT = r"(?![ ]?(?:과장|팀장|계장|주임|직원|사무실|소속|내에|학생|교수|[0-9][ ]?학년))"
_HOUSE_NUMBER = r"(?![ ]?[0-9]{1,4}(?:-[0-9]{1,4}|번?길|번지|에(?!게)|[ ]소재|,(?![0-9])))"
_SPEECH = r"(?=[ .,!?~…'’\"”」』\n]|$)"

# (form after a consonant, form after a vowel, the spelling that shows it is a particle at all).
# 이고 is not here, and 이며, 이거나, 이지만, 이므로 only without 이: after a vowel the written
# style keeps it.
# 고 alone is left too: after a mention it is as likely a high school (한빛고 3학년).
_FORMS = (
    ("은", "는", rf"[은는](?:커녕)?{_END}"),
    ("이", "가", rf"(?:이|가{_HOUSE_NUMBER}){_END}"),
    ("을", "를", rf"[을를]{_END}"),
    ("과", "와", rf"(?:과{_DEPARTMENT}|와)(?:만?[의는은]|도|만)?{_END}"),
    (
        "으로",
        "로",
        rf"(?:으로|로{_HOUSE_NUMBER})(?:(?:부터|서|써|까지|만)?[의는도만은인]?|하여금){_END}",
    ),
    ("이라", "라", rf"이?라(?:[고는던든]|며(?!늘)|거나|[도서]{_END}|[한함하할]|{_END})"),
    ("이라면", "라면", rf"이라면(?:서)?{_END}"),  # 라면 alone may be noodles
    ("이나", "나", rf"이?나마?{_END}"),
    ("이랑", "랑", rf"이?랑[은도만]?{_END}"),
    ("이란", "란", rf"이?란{_END}"),
    ("이든", "든", rf"이?든지?{_END}"),
    ("이며", "며", rf"며{_END}"),
    ("이거나", "거나", rf"거나{_END}"),
    ("이지만", "지만", rf"지만{_END}"),
    ("이므로", "므로", rf"므로{_END}"),
    ("이어서", "여서", rf"(?:이어서|여서){_END}"),
    ("이다", "다", rf"다(?=[.,]){_END}"),
    ("이었", "였", r"(?:이었|였)(?=[다던으고지는기음습])"),
    ("이에요", "예요", rf"(?:이에요|예요){_END}"),
    ("이야말로", "야말로", rf"이?야말로{_END}"),
    ("이야", "야", rf"이야{_SPEECH}"),
    ("아", "야", rf"[아야]{_SPEECH}"),
)

# What stands between a mention and its particle: closing quotes, and whole brackets, which Korean
# reads past ('김한환(남, 29세)으로부터'). A closing bracket alone ends an insertion that began
# before the mention: the particle after it belongs to the word before that bracket.
_INSERTION = r"\((?:[^()\n]|\([^()\n]{0,40}\)){1,120}\)|\[[^\[\]\n]{1,80}\]|㈜"
_BETWEEN = lazy.compile(rf"(?:['’\"”`´」』〉》]{{1,2}}|[ ]?(?:{_INSERTION})){{0,4}}")
_AT_THE_END = lazy.compile(rf"[ ]?(?:{_INSERTION})$")


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, str]]:
    """Return the forms with their spellings compiled: only where particles are to agree."""
    return [(lazy.compile(spelling), consonant, vowel) for consonant, vowel, spelling in _FORMS]


class Particle(NamedTuple):
    """The part of a particle that varies, where it stands, and its two forms."""

    start: int
    end: int
    after_consonant: str
    after_vowel: str

    def form(self, mention: str) -> str:
        """Return the form that follows the last sound of *mention*.

        Only 으로/로 treats a final ㄹ like a vowel. Brackets that end the mention are read past.
        """
        final = final_sound(_AT_THE_END.sub("", mention) or mention)
        light = final in ("", "ㄹ") if self.after_vowel == "로" else final == ""
        return self.after_vowel if light else self.after_consonant


def find(text: str, at: int = 0) -> Particle | None:
    """Return the particle that belongs to a mention ending at *at*, None where there is none.

    Quotes and whole bracketed insertions may stand between. Words that only begin like a
    particle (이사, 가운데, 은행, 과장, 을지로, 와이파이) are none: what follows decides.
    """
    between = _BETWEEN.match(text, at)
    start = between.end() if between else at
    for pattern, after_consonant, after_vowel in _patterns():
        if pattern.match(text, start):
            # The longer form begins with the shorter one's letters in no row but by its 이/으.
            forms = sorted((after_consonant, after_vowel), key=len, reverse=True)
            found = next(form for form in forms if text.startswith(form, start))
            return Particle(start, start + len(found), after_consonant, after_vowel)
    return None


def agree(mention: str, following: str) -> str:
    """Return *following*, the text right after *mention*, with its particle agreed to its sound.

    ``agree("한빛", "는 상장되었다")`` gives ``"은 상장되었다"``; what is no particle, or does not
    vary (에게, 의, 이고), comes back as it was.
    """
    particle = find(following)
    if particle is None:
        return following
    start, end = particle.start, particle.end
    return following[:start] + particle.form(mention) + following[end:]
