"""Short numbers by pattern, for lists that have none of a label: rooms, floors, routes, exits."""

import re
from collections.abc import Mapping
from random import Random

# Each # is a digit, @ a small Latin letter; the first digit of a group of # is never 0.
PATTERNS: Mapping[str, tuple[str, ...]] = {
    "호": ("#0#", "#0#", "1#0#", "2#0#", "10#", "#", "B10#"),
    "호실": ("#0#", "1#0#", "##"),
    "동": ("10#", "11#", "20#", "30#", "#", "가", "나", "다"),
    "번": ("#", "1#"),
    "번호": ("#", "1#"),
    "실": ("#", "1#", "2#"),
    "층": ("#", "1#"),
    "호선": ("#",),
    "출구번호": ("#", "1#"),
    "라인": ("#", "1-2", "3-4", "5-6", "#-#"),
    "단지": ("#", "1#"),
    "노선번호": ("##", "1##", "#-#", "5##", "70##"),
    "열차번호": ("1#0#", "2#1#", "K#01#"),
    "승강장번호": ("#-#",),
    "탑승장번호": ("#", "#-#"),
    "연도": ("201#", "200#"),
    "명수": ("#", "1#"),
    "나이": ("2#", "3#", "4#", "5#"),
    "수표번호": ("나가########", "마가########", "########"),
    "어음번호": ("자가########",),
    "선박번호": ("BSR-######", "#######-#######"),
    "아이디": ("@@@@@##", "@@@@@@####", "@@@_@@@#"),
    "광역버스": ("M5###", "9##1"),
}


def number(label: str, rng: Random) -> str:
    """Return an invented number of a *label* of PATTERNS."""
    return invented(rng.choice(PATTERNS[label]), rng)


def invented(pattern: str, rng: Random) -> str:
    """Return *pattern* with a digit for each # (no 0 begins a run) and a letter for each @."""
    digits = re.sub("(?<!#)#", lambda _: str(rng.randint(1, 9)), pattern)
    digits = re.sub("#", lambda _: str(rng.randint(0, 9)), digits)
    return re.sub("@", lambda _: rng.choice("abcdefghijkmnoprstuwy"), digits)
