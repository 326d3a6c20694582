"""What ``thunder dataset`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

# --- all of them ----------------------------------------------------------------------------------

NO_FILE = Message(ko="{place}: 파일이 없습니다", en="{place}: there is no such file")
IS_FOLDER = Message(
    ko="{place}: 폴더입니다. 파일 이름을 주십시오", en="{place}: is a folder: give a file's name"
)
EXISTS = Message(
    ko="{place}: 이미 있습니다. 다른 이름을 주거나 --force로 덮어쓰십시오",
    en="{place}: exists already: give another name, or --force to write over it",
)
IS_INPUT = Message(
    ko="{place}: 읽을 파일입니다. 다른 이름을 주십시오",
    en="{place}: is one of the files to read: give another name",
)
UNKNOWN = Message(
    ko="{option}: '{given}'은(는) 없는 값입니다. 있는 것: {known}",
    en="{option}: unknown '{given}'; known are {known}",
)

# --- fill -----------------------------------------------------------------------------------------

FILLED = Message(
    ko="{place}: 판결 {judgments:,}건에 대체어 {mentions:,}개를 넣어 문서 {documents:,}건을 "
    "썼습니다. 채점: thunder evaluate {place} 체계=예측.jsonl",
    en="{place}: {mentions:,} mentions put into {judgments:,} judgments, {documents:,} documents "
    "written. To score: thunder evaluate {place} NAME=PREDICTIONS.jsonl",
)
LEFT_OUT = Message(
    ko="뺀 판결 {number:,}건(까닭은 위에)",
    en="{number:,} judgments left out, for the reasons above",
)
NOTHING_FILLED = Message(
    ko="채울 수 있는 판결이 하나도 없습니다", en="there is no judgment that can be filled"
)
LEFT_PLACE = Message(ko="{id}: {line}행 {column}열", en="{id}: line {line} column {column}")
LEFT = Message(
    ko="표시가 없어 채우지 못한 자리표시가 판결 {judgments:,}건에 {number:,}곳 남았습니다"
    "(위는 그중 {shown}건의 첫 자리). 표시를 더하거나 --whole로 이런 판결을 빼십시오.",
    en="{number:,} placeholders without a mark were left in {judgments:,} judgments (above the "
    "first of {shown}). Mark them, or leave such judgments out with --whole.",
)
REASON_LEFT = Message(
    ko="표시가 없는 자리표시 {number}곳, 처음은 {line}행 {column}열",
    en="{number} placeholders without a mark, the first at line {line} column {column}",
)

# --- why a judgment is left out -------------------------------------------------------------------

REASONS = {
    "an id used before": Message(ko="앞에 나온 id", en="an id used before"),
    "not UTF-8": Message(ko="UTF-8이 아님", en="not UTF-8"),
    "not JSON": Message(ko="JSON이 아님", en="not JSON"),
    "not a JSON object": Message(ko="JSON 객체가 아님", en="not a JSON object"),
    "an empty document": Message(ko="빈 문서", en="an empty document"),
    "unbalanced or broken marks": Message(
        ko="짝이 맞지 않거나 깨진 표시", en="unbalanced or broken marks"
    ),
    "an unknown label": Message(ko="분류 체계에 없는 라벨", en="an unknown label"),
}
"""The reasons that a manifest stores, as they are shown; others are shown as they are."""


def reason(stored: str) -> str:
    """Return why a judgment was left out, in the language of messages."""
    return REASONS[stored]() if stored in REASONS else stored
