"""What the words before and behind a placeholder say that it stands for."""

from collections.abc import Iterator
from functools import lru_cache

from thunder.names.patterns.signs import sign
from thunder.taxonomy.lexicon import legal_forms, role_groups, table, words_of
from thunder.training_data.placeholders import contexts
from thunder.training_data.placeholders.localities import left_of, place, right_of, same
from thunder.training_data.placeholders.nouns import (
    body_of,
    defined_after,
    generic_nouns,
    is_trade,
    joined_form,
    noun_after,
    noun_before,
)
from thunder.training_data.placeholders.record import PARTY, PERSON, SOME_FIRM, Vote
from thunder.training_data.placeholders.scenes import scene
from thunder.training_data.placeholders.trades import named_after, named_before

_BY_FORM, _BY_FORM_OF_BODY = 6.5, 14.0


def before(text: str, start: int, *, company: bool = False) -> list[Vote]:
    """Return what the text before *start* speaks for; *company*: a legal form stands behind."""
    left = left_of(text, start)
    votes = list(contexts.before(left))
    if (form := _form_before(left)) and not sign("form-of-a-mark").at(text, start):
        votes.append(form)
    elif role := _role(left):
        votes.append(role)
    votes += place(left)
    votes += list(named_before(left, company=company)) or list(noun_before(left))
    return votes


def named_as(text: str, start: int) -> list[Vote]:
    """Return what the word right before *start* says is named there: 법무법인 (명칭 생략)."""
    left = left_of(text, start)
    form = _form_before(left)
    return [form] if form else list(noun_before(left))


def kind_around(text: str, start: int, end: int) -> list[Vote]:
    """Return what is said before and behind a numbered party of the kind of body it is."""
    said = [*contexts.before(left_of(text, start)), *contexts.behind(right_of(text, end))]
    return [*named_as(text, start), *said]


def after(text: str, end: int) -> list[Vote]:
    """Return what the text from *end* on speaks for."""
    right = right_of(text, end)
    votes = list(contexts.behind(right))
    if form := sign("form-behind-a-mark").match(right, 0):
        votes.append(Vote(_label_of(form["F"]), _BY_FORM))
    nouns = list(noun_after(right))
    votes += nouns
    if all(vote.label == SOME_FIRM for vote in nouns):
        votes += joined_form(right)
    votes += [*named_after(right), *defined_after(right)]
    return votes


def _form_before(left: str) -> Vote | None:
    """Return the vote of a legal form before a name: a school's body is named 학교법인 ○○학원."""
    form = sign("form-before-a-mark").match(left, len(left))
    if form is None:
        return None
    label = _label_of(form["F"])
    return Vote(label, _BY_FORM if is_trade(label) else _BY_FORM_OF_BODY)


def _label_of(form: str | None) -> str:
    """Return the label of a legal form as it is written, or some firm's."""
    return legal_forms().get((form or "").replace(" ", ""), SOME_FIRM)


def firm_at(text: str, start: int, end: int) -> Vote | None:
    """Return the vote of a firm's legal form before a mark, or behind the word joined to it.

    주식회사 ○○프라자 and ○○프라자 주식회사 are no houses.
    """
    form = _form_before(left_of(text, start)) or next(joined_form(right_of(text, end)), None)
    return form if form and is_trade(form.label) else None


def is_company(text: str, end: int) -> bool:
    """Return whether a legal form stands behind the placeholder that ends at *end*."""
    return sign("form-behind-a-mark").at(text, end)


def body_after(text: str, end: int) -> Iterator[Vote]:
    """Yield what makes a numbered party (소외 2) a body: its legal form, or the noun of a body.

    A building, an account or a car behind it only belongs to the person.
    """
    if form := sign("body-behind-a-number").match(text, end):
        yield Vote(_label_of(form["F"]), 9.0)
    else:
        yield from body_of(text, end)


def around(text: str, start: int, end: int) -> list[Vote]:
    """Return what both sides of a placeholder speak for together."""
    left, right = left_of(text, start), right_of(text, end)
    votes = [*same(left), *contexts.around(left, right)]
    if right.startswith(("은행", " 은행")):
        return votes
    return [*votes, *scene(text, start, end)]


def is_titled(text: str, start: int) -> bool:
    """Return whether a title or a word of kin before *start* says a person: 변호사 소외 7."""
    word = sign("word-before-a-mark").match(text, start)
    return word is not None and bool({word["W"], word["W"].removesuffix("인")} & _titles())


@lru_cache(maxsize=1)
def _titles() -> frozenset[str]:
    return frozenset(
        word for group in ("counsel", "office", "kin") for word in role_groups()[group]
    )


def _role(left: str) -> Vote | None:
    """Return the vote of a word that stands before persons: 피해자, 증인, 그의 처."""
    match = sign("word-before-a-mark").match(left, len(left))
    if match is None:
        return None
    word = match["W"]
    weight = _role_weight(word)
    if not weight:
        return None
    return Vote(PARTY if word in words_of("numbered-role") else PERSON, weight)


@lru_cache(maxsize=1 << 14)
def _role_weight(word: str) -> float:
    roles = _roles()
    if word.endswith("인") and any(word[at:-1] in generic_nouns() for at in range(len(word) - 2)):
        return 0.0  # 사업장인 ‘○○’: what the thing is, not 장인, who is a person
    for length in range(min(len(word), 8), 1, -1):
        if word[-length:] in roles:
            return 5.0
    if word in roles:
        return 3.0
    return 3.0 if word.endswith("인") and word[:-1] in roles else 0.0


@lru_cache(maxsize=1)
def _roles() -> frozenset[str]:
    return frozenset(row[0] for row in table("person_roles")).difference(words_of("ends-no-role"))
