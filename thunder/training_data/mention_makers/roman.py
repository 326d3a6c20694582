"""Korean names in Latin letters, as passports and judgments write them."""

from collections.abc import Mapping
from random import Random

# Revised Romanisation (문화체육관광부고시), a syllable at a time: names keep their syllables apart.
_INITIALS = "g kk n d tt r m b pp s ss - j jj ch k t p h".replace("-", "").split(" ")
_VOWEL_LETTERS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i"
_VOWELS = _VOWEL_LETTERS.split()
_FINALS = ". k k k n n n t l k m l l l p l m p p t t ng t t k t p t".replace(".", "").split(" ")

# How most bearers write them; the first is the commonest.
_SURNAME_FORMS = (
    "김 Kim|이 Lee Yi Rhee|박 Park Pak|최 Choi|정 Jung Jeong Chung|강 Kang|조 Cho Jo|윤 Yoon Yun|"
    "장 Jang Chang|임 Lim Im|한 Han|오 Oh|서 Seo Suh|신 Shin|권 Kwon|황 Hwang|안 Ahn An|송 Song|"
    "전 Jeon Chun|홍 Hong|유 Yoo Yu|류 Ryu|고 Ko Koh|문 Moon|양 Yang|손 Son Sohn|배 Bae|백 Baek|"
    "허 Heo Hur|노 Noh Roh|남 Nam|심 Shim|하 Ha|곽 Kwak|성 Sung|차 Cha|주 Joo|우 Woo|구 Koo Gu|"
    "진 Jin|민 Min|나 Na|지 Ji|엄 Um Eom|채 Chae|원 Won|천 Cheon|방 Bang|공 Kong|현 Hyun|변 Byun|"
    "여 Yeo|추 Choo|도 Do|소 So|석 Seok|선 Sun|설 Seol|마 Ma|길 Gil|남궁 Namgung|황보 Hwangbo"
)
_GIVEN_FORMS = (
    "영 Young|우 Woo|현 Hyun|성 Sung|정 Jung|경 Kyung|준 Joon|훈 Hoon|수 Soo|주 Joo|선 Sun|희 Hee|"
    "순 Soon|규 Kyu|기 Ki|재 Jae|혁 Hyuk|용 Yong|연 Yeon|윤 Yoon|명 Myung|철 Chul|국 Kook|길 Kil"
)


def _table(forms: str) -> Mapping[str, tuple[str, ...]]:
    rows = (row.split() for row in forms.split("|"))
    return {row[0]: tuple(row[1:]) for row in rows}


_SURNAMES = _table(_SURNAME_FORMS)
_GIVEN = _table(_GIVEN_FORMS)


def romanised(text: str) -> str:
    """Return Hangul in the Revised Romanisation, each syllable by itself and in small letters."""
    return "".join(map(_syllable, text))


def _syllable(char: str) -> str:
    code = ord(char) - ord("가")
    if not 0 <= code < 11172:
        raise ValueError(f"U+{ord(char):04X} is no Hangul syllable")
    initial, rest = divmod(code, 21 * 28)
    vowel, final = divmod(rest, 28)
    return _INITIALS[initial] + _VOWELS[vowel] + _FINALS[final]


def latin_name(rng: Random, surname: str, given: str) -> str:
    """Return a Korean name in Latin letters: Kim Min-soo, KIM MINSU, Minsoo Kim …"""
    family = rng.choice(_SURNAMES.get(surname) or (romanised(surname).capitalize(),))
    by_custom = rng.random() < 0.5
    syllables = [_given(char, by_custom) for char in given]
    joint = rng.choice(("", "", "-", " "))
    first = joint.join(syllables) if joint == " " else joint.join(syllables).capitalize()
    form = rng.choice(("{1} {0}", "{0} {1}", "{0} {1}", "{0}, {1}"))
    name = form.format(family, first if joint != " " else first.title())
    return name.upper() if rng.random() < 0.5 else name


def _given(char: str, by_custom: bool) -> str:
    custom = _GIVEN.get(char) if by_custom else None
    return (custom[0] if custom else romanised(char)).lower()
