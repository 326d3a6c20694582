"""What is said of names and words that are decided before; in Korean and in English."""

from thunder.settings.messages import Message

NO_FORM = Message(
    ko="이름에는 빈칸이 아닌 말이 하나는 있어야 합니다",
    en="a name needs a wording, and no wording is empty",
)
BOTH = Message(
    ko="한 말을 가리면서 남길 수는 없습니다", en="a wording cannot both be masked and stay readable"
)
ONE_NAME = Message(ko="한 말은 한 이름에만 넣으십시오", en="a wording belongs to one name only")
COLUMNS = Message(
    ko="{place}: 한 줄에 {columns} 순서로 쓰십시오",
    en="{place}: a line has {columns}, in this order",
)
NAMED_BEFORE = Message(
    ko="{place}: 앞에 나온 말입니다 — 한 줄만 남기십시오",
    en="{place}: this wording came before: keep one line of it",
)
NO_UTF_8 = Message(
    ko="{path}: UTF-8이 아닙니다 — UTF-8로 저장하십시오", en="{path}: not UTF-8: save it as UTF-8"
)
