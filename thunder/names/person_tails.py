"""What may follow a name within the same word: particles, the copula, 씨, 측, 등 …"""

from collections.abc import Iterable
from functools import lru_cache

from thunder.taxonomy.lexicon import table
from thunder.text.korean import final_sound

_DATIVE = ("에게", "한테", "께", "에게서", "한테서")
_COPULA = (
    *("이다", "다", "인", "인데", "인지", "이고", "고", "이며", "며", "이었다", "였다", "이었고"),
    *("였고", "이었던", "였던", "이라", "라", "이라고", "라고", "이라는", "라는", "이라며", "라며"),
    *("이라면서", "라면서", "이란", "란", "이므로", "므로", "이어서", "여서", "임", "임을", "이자"),
    *("입니다", "이라서", "라서", "일", "이었는데", "였는데", "이거나", "거나", "인바", "이라면"),
    *("라면", "이라고도", "라고도", "이라고는", "이었으며", "였으며", "이었으므로", "였으므로"),
    *("이지", "이지만", "지만", "임에도", "인데도", "이냐", "이니", "이어야", "여야", "이었을"),
    *("였을", "이라거나", "라거나", "이라는데", "라는데", "인가", "이었음", "였음", "이자로"),
    *("이었으나", "였으나", "이었지만", "였지만", "이랍니다", "이래", "래", "임이", "임은"),
    *("이예요", "예요", "이에요", "이었습니다", "였습니다", "이라도", "라도", "이라니", "라니"),
)
_PLAIN = (
    *("은", "는", "이", "가", "을", "를", "의", "도", "만", "과", "와", "에", "께", "로", "으로"),
    *("나", "이나", "께서", "께서는", "께서도", "만이", "만을", "만은", "만의", "까지", "까지도"),
    *("까지는", "마저", "마저도", "조차", "조차도", "부터", "부터는", "뿐", "뿐만", "뿐이", "보다"),
    *("보다는", "보다도", "처럼", "같이", "이야", "야", "아", "이나마", "에의", "에도", "에는"),
    *("에게의", "든지", "이든지", "이든", "든", "커녕", "은커녕", "대로", "마다", "만큼", "뿐이다"),
)
_AFTER_NOUNS = (
    *("", "은", "는", "이", "가", "을", "를", "의", "도", "만", "과", "와", "에", "에게", "에게서"),
    *("에게는", "에게도", "한테", "한테서", "께", "께서", "으로", "로", "으로부터", "로부터"),
    *("과의", "와의", "과는", "와는", "이다", "인", "이라고", "이라는", "라고", "라는", "들"),
    *("들은", "들이", "들의", "들에게", "들을", "들과", "까지"),
)
_LIST = ("등", "측", "쪽", "본인", "자신", "명의", "외", "및", "들", "부부", "간", "밖에")
_PET_NAME = ("가", "는", "를", "도", "한테", "에게", "랑", "와", "의", "야", "로", "만", "네")


@lru_cache(maxsize=1)
def tails() -> dict[str, str]:
    """Return every tail with its kind: particle, copula, list, title, word, pet (길동|이가), ""."""
    found = {"": ""}
    _add(found, "particle", _PLAIN)
    for joint in ("과", "와", "하고", "이랑", "랑"):
        _add(found, "particle", (joint + end for end in ("", "는", "도", "의", "만", "만의")))
    for dative in _DATIVE:
        ends = ("", "는", "도", "만", "로", "까지", "까지도", "서", "서는", "서도", "만은")
        _add(found, "particle", (dative + end for end in ends))
    for way in ("으로", "로"):
        ends = (
            "부터",
            "부터는",
            "부터도",
            "부터의",
            "서",
            "서는",
            "서의",
            "서도",
            "써",
            "는",
            "도",
        )
        _add(found, "particle", (way + end for end in (*ends, "만", "하여금", "까지")))
    _add(found, "copula", _COPULA)
    for word in _LIST:
        _add(found, "list", (word + end for end in _AFTER_NOUNS))
    for title, after_surname in titles().items():
        kind = "word" if after_surname in ("clear", "never") else "title"
        _add(found, kind, (title + end for end in _AFTER_NOUNS))
    _add(found, "pet", ("이" + end for end in _PET_NAME))
    return found


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """Return the words put after a name (씨, 과장 …), and how each stands after a surname alone.

    "joined" also without a space (홍과장), "spaced" only with one (홍 이사), "clear" only where the
    surname is no word either (허 소장), "never".
    """
    return dict(table("titles"))


def agreement(name: str, tail: str) -> str:
    """Return whether *tail* takes the form *name* asks for: "fits", "clashes", "free" or ""."""
    if not tail:
        return ""
    final = final_sound(name)
    if tail.startswith("으로"):
        return _say(final not in ("", "ㄹ"))
    if tail.startswith("로"):
        return _say(final in ("", "ㄹ"))
    if tail.startswith(("은", "을", "과", "이", "아")):
        return _say(final != "")
    after_vowel = tail[0] in "는가를와였여야" or tail in ("나", "고", "며", "랑")
    if after_vowel or (tail[0] in "라다래예" and not tail.startswith("다른")):
        return _say(final == "")
    return "free"


def _say(fits: bool) -> str:
    return "fits" if fits else "clashes"


def _add(found: dict[str, str], kind: str, words: Iterable[str]) -> None:
    for word in words:
        found.setdefault(word, kind)
