"""What a spreadsheet shows of a number: by the format code of its cell (ECMA-376-1, 18.8.30).

Figures, percentages, digits with signs between them (a resident number, a telephone number) and
dates; fractions and exponents are shown as plain figures.
"""

import re
from datetime import datetime, timedelta
from functools import lru_cache

_DATE, _TIME = "yyyy-mm-dd", "h:mm:ss"
BUILT_IN = {
    **{1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%"},
    **{14: _DATE, 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM"},
    **{19: "h:mm:ss AM/PM", 20: "h:mm", 21: _TIME, 22: f"{_DATE} h:mm"},
    **dict.fromkeys((27, 31, 36, 50, 51, 54, 57, 58), 'yyyy"년" mm"월" dd"일"'),
    **dict.fromkeys((28, 29, 53, 30, 34, 35, 52, 55, 56), _DATE),
    **{32: 'h"시" mm"분"', 33: 'h"시" mm"분" ss"초"', 37: "#,##0", 38: "#,##0"},
    **{39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss", 46: "h:mm:ss", 47: "mm:ss"},
}
"""Formats that have a number alone, as a Korean program shows them."""

_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|([_*].)|(\[[^\]]*\])|(AM/PM|A/P|General|E[+-]|y+|m+|d+|h+|s+|[0#?]|.)',
    re.IGNORECASE | re.DOTALL,
)
_MOST_DAYS = 2_958_465  # 9999-12-31


def shown(number: float, code: str, *, is_1904: bool = False) -> str:
    """Return what a cell with this format *code* shows of *number*."""
    sections = _sections(code)
    section = sections[0]
    if number < 0 and len(sections) > 1:
        section, number = sections[1], -number
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    if any(kind == "date" for kind, _ in section):
        days = number + (1462 if is_1904 else 0)
        return _date(days, section) if 0 <= days <= _MOST_DAYS else plain(number)
    if not any(kind == "digit" for kind, _ in section):
        said = "".join(text for kind, text in section if kind in ("text", "sign"))
        return said if section and "General" not in code and "@" not in code else plain(number)
    return _figures(number, section)


def plain(number: float) -> str:
    """Return a number as a cell without a format shows it."""
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.10g}"


@lru_cache
def _sections(code: str) -> list[list[tuple[str, str]]]:
    """Return the tokens of each section: what kind, and what they say."""
    sections: list[list[tuple[str, str]]] = [[]]
    for quoted, literal, skipped, bracketed, other in _TOKEN.findall(code):
        if other == ";":
            sections.append([])
        elif quoted or literal:
            sections[-1].append(("text", quoted or literal))
        elif bracketed.lower() in ("[h]", "[m]", "[s]", "[hh]", "[mm]", "[ss]"):
            sections[-1].append(("date", bracketed[1:-1].lower()))
        elif other in ("0", "#", "?"):
            sections[-1].append(("digit", other))
        elif other.lower()[:1] in ("y", "m", "d", "h", "s") or other.upper() in ("AM/PM", "A/P"):
            sections[-1].append(("date", other.lower()))
        elif other and other != "@" and other.lower() != "general":
            sections[-1].append(("sign", other))
        elif skipped.startswith("_"):
            sections[-1].append(("text", " "))
    return sections


def _figures(number: float, section: list[tuple[str, str]]) -> str:
    signs = [text for kind, text in section if kind == "sign"]
    number *= 100 ** signs.count("%")
    point = next((n for n, one in enumerate(section) if one == ("sign", ".")), len(section))
    whole, after = section[:point], section[point:]
    places = [text for kind, text in after if kind == "digit"]
    digits, _, decimals = f"{abs(number):.{min(len(places), 30)}f}".partition(".")
    slots = [n for n, (kind, _) in enumerate(whole) if kind == "digit"]
    is_grouped = any(
        one == ("sign", ",") and slots and slots[0] < n < slots[-1] for n, one in enumerate(whole)
    )
    marks = "".join(text for kind, text in whole if kind == "digit")
    required = len(marks) - marks.find("0") if "0" in marks else 0
    digits = digits.lstrip("0").rjust(required, "0")
    if is_grouped:
        digits = f"{int(digits or 0):,}" if digits else ""
        before = whole[: slots[0]] if slots else whole
        behind = whole[slots[-1] + 1 :] if slots else []
        said = _literal(before) + digits + _literal(behind)
    else:
        said = _filled(digits, whole, slots)
    while decimals and places and places[-1] != "0" and decimals.endswith("0"):
        decimals, places = decimals[:-1], places[:-1]
    tail = _literal([one for one in after if one != ("sign", ".")])
    sign = "-" if number < 0 and said.strip("0,. ") + decimals.strip("0") else ""
    return sign + said + (f".{decimals}" if decimals else "") + tail


def _filled(digits: str, whole: list[tuple[str, str]], slots: list[int]) -> str:
    """Return *digits* in their slots from the right; the first slot takes all that are left."""
    out, left = list[str](), digits
    for n in range(len(whole) - 1, -1, -1):
        if whole[n][0] == "digit":
            if n == slots[0]:
                out.append(left)
            elif left:
                out.append(left[-1])
            left = left[:-1] if n != slots[0] else ""
        else:
            out.append(_literal([whole[n]]))
    return "".join(reversed(out)) if slots else digits


def _literal(tokens: list[tuple[str, str]]) -> str:
    return "".join(text for kind, text in tokens if kind != "digit" and text != ",")


def _date(days: float, section: list[tuple[str, str]]) -> str:
    # A day that never was, 29 February 1900, is counted.
    start = datetime(1899, 12, 31) if days < 60 else datetime(1899, 12, 30)
    when = start + timedelta(seconds=round(days * 86_400))
    is_half = any(text in ("am/pm", "a/p") for kind, text in section if kind == "date")
    hour = (when.hour % 12 or 12) if is_half else when.hour
    dates = [text for kind, text in section if kind == "date"]
    out, seen = list[str](), 0
    for kind, text in section:
        if kind != "date":
            out.append(text)
            continue
        before, after = dates[seen - 1] if seen else "", (*dates, "")[seen + 1]
        seen += 1
        if text[0] == "y":
            out.append(f"{when:%Y}" if len(text) > 2 else f"{when:%y}")
        elif text[0] == "m" and (before.startswith("h") or after.startswith("s")):
            out.append(f"{when.minute:0{min(len(text), 2)}}")
        elif text[0] == "m":
            out.append(f"{when:%b}" if len(text) > 2 else f"{when.month:0{len(text)}}")
        elif text[0] == "d":
            out.append(
                "월화수목금토일"[when.weekday()] if len(text) > 2 else f"{when.day:0{len(text)}}"
            )
        elif text[0] == "h":
            out.append(f"{hour:0{min(len(text), 2)}}")
        elif text[0] == "s":
            out.append(f"{when.second:0{min(len(text), 2)}}")
        else:
            out.append("오전" if when.hour < 12 else "오후")
    return "".join(out)
