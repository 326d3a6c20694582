"""What ``thunder patterns`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

FAILING = Message(
    ko="예문과 다르게 움직이는 곳을 {number}건 찾았습니다.",
    en="{number} sentences are not as their rules say.",
)
IN_ORDER = Message(
    ko="규칙 {rules}개, 표지 {signs}개, 닮은 꼴 {lookalikes}개, 끝자리 {edges}개, "
    "예문 {sentences}개: 모두 맞습니다.",
    en="{rules} rules, {signs} signs, {lookalikes} look-alikes, {edges} edges, "
    "{sentences} sentences: all hold.",
)
NOTHING_FIRES = Message(ko="이 글에서 움직인 규칙이 없습니다.", en="No rule fires in this text.")
LOOKALIKE = Message(
    ko="[{what}] 닮은 꼴: 태거가 여기에서 찾은 것은 버림 ({of})",
    en="[{what}] a look-alike: what a tagger finds there is dropped ({of})",
)
MASKED = Message(ko="가림", en="masked")
KEPT = Message(ko="남김", en="kept")
ERROR = Message(ko="오류: {error}", en="Error: {error}")
RULE = Message(ko="규칙", en="rule")
FIRED = Message(ko="움직인 곳", en="places")
RIGHT = Message(ko="정답과 겹침", en="share in gold")
NO_RULE = Message(
    ko="'{name}' 규칙이 없습니다. 비슷한 이름: {near}",
    en="there is no rule '{name}'; near it are: {near}",
)
NO_ROW = Message(
    ko="{path}:{number}: text(와 start, end가 있는 entities)가 든 JSON 한 줄이 아닙니다. "
    "`thunder deid`가 읽는 꼴로 고치십시오.",
    en="{path}:{number}: is not a line of JSON with text (and entities with start and end): write "
    "it as `thunder deid` reads it.",
)
TO_MEND = Message(
    ko="규칙 파일에서 고칠 곳을 {number}건 찾았습니다.", en="{number} to be mended in the rules."
)
