"""Numbers that a state body gives its papers, and other numbers that lead to nobody.

나래구공고 제2011-123호, 의결 제2011-123호, 제2011-124호, 의안번호 12345, SC-9호공. Numbers of
registers (patents, trade marks) are not among them.
"""

import re

from thunder.spans import Span

_PAPER = "고시|공고|훈령|예규|의결|결정|의안"
_NUMBER = r"[0-9]{1,6}(?:-[0-9]{1,7}){0,2}"
_ITSELF = re.compile(rf"(?!.*[0-9]{{6}}-[0-9]{{7}})제? ?{_NUMBER}(?: ?호)?")
_BEFORE = re.compile(
    rf"(?<!특허)(?<!등록)(?<!출원)(?<!공개)(?:{_PAPER})(?:번호)? ?[(:]? ?"
    rf"(?:제? ?{_NUMBER} ?호(?:, ?|·| 및 )){{0,9}}(?:제 ?)?\Z"
    rf"|(?:{_PAPER})인? ?[「『][^」』\n]{{1,40}}[」』] ?\((?:제 ?)?\Z"
    r"|(?:결정서|공문|회신|통보|질의)\((?:(?:[가-힣]{1,8}(?:과|팀|실|국|부)|대학) )?\Z"
)
_AFTER = re.compile(r" ?호? ?(?:의결|결정서|재결서|처분서|심결서)")
_SIGHT = 160
_WELL = re.compile(r"[A-Z]{1,4}-?[0-9]{1,3}(?:호공|호정)?")
_WELL_NOUN = re.compile("호공|호정")


def is_official(text: str, span: Span) -> bool:
    """Return whether *span* is the number of a notice, a decision, a bill or a well."""
    if _WELL.fullmatch(text, span.start, span.end):
        return bool(_WELL_NOUN.match(text, span.end) or _WELL_NOUN.match(text, span.end - 2))
    if not _ITSELF.fullmatch(text, span.start, span.end):
        return False
    is_led = _BEFORE.search(text, max(0, span.start - _SIGHT), span.start) is not None
    return is_led or _AFTER.match(text, span.end) is not None
