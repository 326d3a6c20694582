"""The names of the persons of a judgment: of the sex and the age that the text says."""

import re
from collections.abc import Sequence
from random import Random

from thunder.training_data.filling import facts, kin
from thunder.training_data.filling.sources import DRAWS, Form, Group, Mentions, Site
from thunder.training_data.lists import UsedUp
from thunder.training_data.mention_makers.names import (
    drawn_form,
    in_form,
    is_public_figure,
    korean_person,
)

_BRACKET = re.compile(
    r"(?:[ ]?\([^()\n]{0,24}?(?<![가-힣])|, ?(?=[남여][^\n]{0,60}\]))([남여])(?:성|자)?(?![가-힣])"
)
_AGE = re.compile(r"[ ]?\([^()\n]{0,24}?(?<![0-9])([0-9]{1,2}|[0-9][○O])세")
_BORN = re.compile(
    r"[ ]?\([^()\n]{0,24}?(?<![0-9])((?:18|19|20)[0-9]{2})\. ?[0-9]{1,2}\. ?[0-9]{1,2}\. ?생"
)
_WOMAN = f"<woman>|{kin.of_sex('여')}"
_MAN = f"<man>|{kin.of_sex('남')}"
_SAID_BEFORE = facts.context(
    rf"(?<![가-힣])(?:({_WOMAN}|(?<=의 )(?:모|부인)|모(?= <party> ))|{_MAN}|(?<=의 )부|"
    r"부(?= <party> ))"
    r"['’”\"]?(?:인|이던|였던|이었던|(?:이자|이면서|이고|이며) [^.,\n]{0,40}(?:인|이던|던|한))?"
    r"(?: <party>(?:들인)?(?: [0-9A-Z]{1,3}(?:,| 및| 또는|와|과))?){0,3} $"
)
_SAID_BEHIND = facts.context(rf" ?\((?:(모|처|{_WOMAN})|부|{_MAN})(?=[,)])")
_SHE = re.compile(r"[^.\nA-Z○]{0,50}(?<![가-힣])그녀")
_SPACES = re.compile(r"\s{2,}")
_YEAR_OF_THE_FACTS = 2018  # when most of the published facts happened, to the year of a birth


def gender_of(sites: Sequence[Site], text: str) -> str:
    """Return 남 or 여 where *text* says so anywhere: the brackets behind a name say it best."""
    for found in (_in_brackets, _behind, _before, _by_pronoun):
        gender = next(filter(None, map(found, sites)), "")
        if gender:
            return gender
    return "여" if any(_as_a_victim(site, text) for site in sites) else ""


def _in_brackets(site: Site) -> str:
    match = _BRACKET.match(site.after)
    return match[1] if match else ""


def _before(site: Site) -> str:
    match = _SAID_BEFORE.search(_SPACES.sub(" ", site.before[-120:])[-80:])
    return "" if match is None else "여" if match[1] else "남"


def _behind(site: Site) -> str:
    match = _SAID_BEHIND.match(site.after)
    return "" if match is None else "여" if match[1] else "남"


def _by_pronoun(site: Site) -> str:
    return "여" if _SHE.match(site.after) else ""


def _as_a_victim(site: Site, text: str) -> bool:
    """Return whether the sentence goes on with what a woman wears or bears: 피해자 A의 치마."""
    return _VICTIM.search(site.before) is not None and _HERS.match(text, site.span.end) is not None


_VICTIM = re.compile("피해자 ?$")
_HERS = facts.context(r"[^.\n]{0,160}<hers>")

_GENERATION = re.compile(
    r"(?:(아들|딸|장남|차남|장녀|차녀|손자|손녀)|"
    r"(어머니|아버지|모친|부친|장인|장모)|할머니|할아버지)인? ?$"
)
_CHILD, _PARENT, _GRANDPARENT = 1998, 1955, 1940


def born_in(sites: Sequence[Site]) -> int | None:
    """Return about when a person was born, by the age behind the name or as whose child."""
    dates = (_BORN.match(site.after) for site in sites)
    born = next((int(match[1]) for match in dates if match), None)
    if born is not None:
        return born
    ages = (_AGE.match(site.after) for site in sites)
    age = next((int(re.sub("[○O]", "5", match[1])) for match in ages if match), None)
    if age is not None:
        return _YEAR_OF_THE_FACTS - age
    said = next(filter(None, (_GENERATION.search(site.before[-8:]) for site in sites)), None)
    return None if said is None else _CHILD if said[1] else _PARENT if said[2] else _GRANDPARENT


def person(
    group: Group,
    text: str,
    source: Mentions,
    rng: Random,
    taken: set[str],
    *,
    surname: str = "",
    unlike: Sequence[str] = (),
) -> Form:
    """Return the name of a person: nobody's who stands in *text* or got it already.

    *surname* is that of their family, if the text says that they are of one, *unlike* are those
    that they do not bear: a couple's are two.
    UsedUp where no draw gives one.
    """
    for attempt in range(DRAWS):
        drawn = korean_person(rng, gender=group.gender, born=group.born)
        if surname and attempt < DRAWS // 2:  # a small part may hold no such name
            drawn = drawn._replace(surname=surname)
        if drawn.surname in unlike and attempt < DRAWS // 2 and not surname:
            continue
        name = drawn.name
        if len({*name}) < len(name) or is_public_figure(name):
            continue
        if name in taken or name in text or not source.may_take(name):
            continue
        form = drawn_form(rng, source.forms)
        if form in ("family", "given") and in_form(rng, drawn, form) in taken:
            form = ""  # of two Kims the second has the whole name
        mention = _lent(form, text, source, rng, taken) or in_form(rng, drawn, form)
        if form == "latin" and not _ABROAD.search(text) and name not in mention:
            mention = f"{name}({mention})"  # nobody is called in Latin letters alone at home
        if source.may_take(mention):
            plain = mention.partition("(")[0] == name
            return Form(
                mention,
                trail="씨" if form == "family" else "",
                person=(drawn.surname, drawn.given) if plain else None,
            )
    raise UsedUp("no draw gave a new name: the document holds too many persons")


_ABROAD = facts.context("<abroad>")
_WORD = re.compile(r"(?<![가-힣])[가-힣]{2,4}(?![가-힣])")
_FOREIGN = ("중국인이름", "베트남이름", "일본인이름", "영어이름", "태국인이름", "몽골인이름")


def _lent(form: str, text: str, source: Mentions, rng: Random, taken: set[str]) -> str:
    """Return a name that is not ours to make, "" for the other forms and where none is free.

    A foreign one is of another label's list; a random one is a word of the text, which stands
    there as no name, too.
    """
    if form == "foreign":
        found = source.of(rng.choice(_FOREIGN))
    elif form == "random":
        found = sorted({match[0] for match in _WORD.finditer(text)})
    else:
        return ""
    drawn = (rng.choice(found) for _ in range(DRAWS if found else 0))
    return next((one for one in drawn if one not in taken), "")
