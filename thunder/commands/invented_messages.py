"""What ``thunder dataset diversity`` says to people, in Korean and in English."""

from thunder.settings.messages import Message

NEEDS_REFERENCE = Message(
    ko="--report에는 견줄 실제 글(--reference)이 있어야 합니다",
    en="--report needs real texts to stand beside (--reference)",
)
TOO_FEW = Message(
    ko="--report에는 말뭉치마다 글이 {least}건, --reference에는 그 두 배가 있어야 합니다",
    en="--report needs {least} texts of each corpus, and twice as many of --reference",
)
FAILED = Message(ko="오류: {problem}", en="Error: {problem}")
NOT_DRAWN = Message(
    ko="그림은 그리지 못했습니다: {problem}", en="No pictures were drawn: {problem}"
)
REPORTED = Message(ko="{path}: 표와 그림을 썼습니다", en="{path}: tables and pictures written")
