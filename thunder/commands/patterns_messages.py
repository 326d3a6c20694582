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
    ko="[{what}] 닮은 꼴({of}): {who} 찾으면 버림",
    en="[{what}] a look-alike ({of}): what {who} finds there is dropped",
)
TAGGER = Message(ko="태거가", en="a tagger")
FINDERS_OF_NAMES = Message(ko="이름을 찾는 규칙이나 태거가", en="a finder of names or a tagger")
ALL_FINDERS = Message(ko="어느 규칙이나 태거가", en="any finder or tagger")
KINDS = {
    "anything": Message(ko="무엇이든", en="anything"),
    "person": Message(ko="사람", en="person"),
    "thing": Message(ko="사람이 아닌 이름", en="thing"),
    "name": Message(ko="이름", en="name"),
    "address": Message(ko="주소", en="address"),
    "number": Message(ko="번호", en="number"),
}
"""What a look-alike may be of, by the word for it in its row."""
NOT = Message(ko="{letter}: {test} 아님", en="{letter}: not {test}")
DROPPED = Message(
    ko="[{what}] 찾았으나 닮은 꼴이어서 버림", en="[{what}] was found, and dropped as a look-alike"
)
CUT = Message(
    ko="[{what}] → [{left}] 끝자리를 잘라 냄", en="[{what}] → [{left}] an edge was cut off"
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
    ko="{path}:{number}: text(와 그 안의 start, end가 있는 entities)가 든 JSON 한 줄이 아닙니다. "
    '{{"text": "…", "entities": [{{"start": 0, "end": 3}}]}}처럼 적으십시오.',
    en="{path}:{number}: is not a line of JSON with text (and entities with start and end in it): "
    'write {{"text": "…", "entities": [{{"start": 0, "end": 3}}]}}.',
)
NO_RULES = Message(
    ko="{folder}: 규칙 폴더가 아닙니다({file}이 없습니다). 자체 분류 체계라면 "
    "--taxonomy {folder}(으)로 주십시오",
    en="{folder}: no folder of rules (it has no {file}); give a taxonomy of your own as "
    "--taxonomy {folder}",
)
NO_CORPUS = Message(
    ko="{path}: 열 수 없습니다({why}). JSON 한 줄에 한 건씩 적은 파일을 주십시오",
    en="{path}: cannot be opened ({why}); give a file of JSON lines",
)
NOT_IN_TEXT = Message(
    ko="'{word}'은(는) 이 글에 없습니다", en="'{word}' does not stand in the text"
)
TO_MEND = Message(
    ko="규칙 파일에서 고칠 곳을 {number}건 찾았습니다.", en="{number} to be mended in the rules."
)
