"""What is said of files to be scored: what is wrong with a line, and the cure, in two languages."""

from thunder.settings.messages import Message

# --- files ----------------------------------------------------------------------------------------
NO_DOCUMENT = Message(ko="{path}: 문서가 하나도 없습니다", en="{path}: holds no document")
NO_PREDICTIONS = Message(ko="{path}: 예측이 하나도 없습니다", en="{path}: holds no prediction")
NOT_PREDICTED = Message(
    ko="{path}: 문서 '{id}': 예측이 없습니다",
    en="{path}: document '{id}': no prediction",
)
CUT_OFF = Message(
    ko="{path}: 감사 기록이 끝나지 않았습니다. 실행이 도중에 끊겼으니 다시 실행하십시오",
    en="{path}: an audit without its end: the run was cut off; run it again",
)
HELD_BACK = Message(
    ko="{place}: 문서 '{id}': 내지 않은 문서입니다: {reason}",
    en="{place}: document '{id}': held back: {reason}",
)
NO_JSON = Message(
    ko="{place}: UTF-8로 쓴 JSON이 아닙니다. 한 줄에 객체 하나를 쓰십시오",
    en="{place}: no JSON in UTF-8: one object a line is wanted",
)
NO_OBJECT = Message(
    ko="{place}: JSON 객체가 아닙니다. {{…}}를 쓰십시오",
    en="{place}: no JSON object: {{…}} is wanted",
)
DOCUMENT = Message(ko="문서 '{id}'", en="document '{id}'")
WITHOUT_ID = Message(ko="id가 없는 문서", en="document without an id")

# --- a document -----------------------------------------------------------------------------------
ID_TWICE = Message(ko="파일에 이 id가 두 번 나옵니다", en="the id stands in the file twice")
PREDICTED_TWICE = Message(ko="예측이 두 번 나옵니다", en="predicted twice")
NOT_ASKED = Message(ko="채점할 문서에 없는 id입니다", en="not among the documents to score by")
STRINGS = Message(
    ko="'text'와 'case_type'에는 글을 쓰십시오",
    en="'text' and 'case_type' must be strings",
)
NEITHER_ID = Message(
    ko="'id'에는 글이나 정수를 쓰십시오",
    en="'id' must be a string or a whole number",
)
SAID = Message(
    ko="'characters'에는 정수를, 'text'에는 글을 쓰십시오",
    en="'characters' must be a whole number and 'text' a string",
)
OTHER_LENGTH = Message(
    ko="{predicted:,}자인 글을 보고 만든 예측인데, 이 글은 {length:,}자입니다",
    en="made for a text of {predicted:,} characters, this one has {length:,}",
)
OTHER_TEXT = Message(
    ko="다른 글({predicted:,}자, 이 글은 {length:,}자)을 보고 만든 예측입니다",
    en="made for another text ({predicted:,} characters, this one has {length:,})",
)
OTHER_MASKED_TEXT = Message(
    ko="가린 글({written:,}자)이 이 글을 적힌 대로 가린 것({expected:,}자)과 다릅니다. 다른 글을 "
    "보고 만든 예측입니다",
    en="its masked text ({written:,} characters) is not this text masked as it says "
    "({expected:,}): it was made for another text",
)

# --- an entity ------------------------------------------------------------------------------------
LIST = Message(
    ko="'{key}'에는 객체의 목록을 쓰십시오(없으면 빈 목록)",
    en="'{key}' must be a list of objects (an empty one where there are none)",
)
ENTITY = Message(
    ko="개체에는 'start'와 'end'(정수), 'label'이 있어야 합니다",
    en="an entity needs 'start' and 'end' (whole numbers) and 'label'",
)
SCORE = Message(
    ko="{start}:{end}에 있는 개체의 'score'에는 수를 쓰십시오",
    en="'score' of the entity at {start}:{end} must be a number",
)
STRING = Message(ko="개체의 '{key}'에는 글을 쓰십시오", en="'{key}' of an entity must be a string")
NO_LABEL = Message(ko="라벨이 없는 예측입니다", en="a prediction without a label")
REPLACEMENT = Message(
    ko="'replacement'에는 글을 쓰고, 모든 개체에 쓰거나 어디에도 쓰지 마십시오",
    en="'replacement' must be a string, at every entity or at none",
)
UNKNOWN_LABEL = Message(
    ko="{what}. 분류 체계의 라벨을 주거나('thunder taxonomy tree'), 그 라벨이 있는 분류 체계를 "
    '쓰거나(--taxonomy), 채점에서 빼려면 "label": ""로 두십시오',
    en="{what}; give it a label of the taxonomy ('thunder taxonomy tree'), its own "
    'taxonomy (--taxonomy), or "label": "" to leave it out of the score',
)
