"""What a rule, a name finder or a tagger says of a sentence, for the tests of who wins."""

from thunder.text.spans import Span

PERSON, COMPANY, ADDRESS, ACCOUNT = "내국인이름", "금융회사", "주소", "계좌번호"
NICKNAME = "닉네임"


def spans(sentence: str, *, source: str, label: str, score: float) -> list[Span]:
    """Return what a finder says of a text, in which its mentions stand in [brackets]."""
    found, at, start = [], 0, 0
    for char in sentence:
        if char == "[":
            start = at
        elif char == "]":
            found.append(Span(start, at, label, score, source))
        else:
            at += 1
    return found


def rule(sentence: str, label: str = ACCOUNT) -> list[Span]:
    return spans(sentence, source="rule:account", label=label, score=0.8)


def named(sentence: str, label: str = PERSON, score: float = 0.9) -> list[Span]:
    return spans(sentence, source="names:person", label=label, score=score)


def company(sentence: str, score: float) -> list[Span]:
    return named(sentence, COMPANY, score)


def tagger(sentence: str, label: str = PERSON, score: float = 0.95) -> list[Span]:
    return spans(sentence, source="tagger", label=label, score=score)


def doubtful(sentence: str, label: str = PERSON) -> list[Span]:
    return tagger(sentence, label, score=0.2)


def repeat(sentence: str, label: str = PERSON) -> list[Span]:
    return spans(sentence, source="names:repeat", label=label, score=1.0)
