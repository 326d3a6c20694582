"""What is said of a scorecard's file: what does not fit, and the cure; in Korean and in English."""

from thunder.settings.messages import Message

WRONG = Message(
    ko="{path}: {what}. 다시 맞추십시오: thunder tagger scorecard {folder}{alone} "
    "--dataset …(데이터셋이 없으면 이 판과 함께 배포된 것을 쓰십시오)",
    en="{path}: {what}; fit it again: thunder tagger scorecard {folder}{alone} --dataset … "
    "(without a dataset use what comes with this version)",
)
MISSING = Message(ko="{key}이(가) 없습니다", en="{key} is missing")
FORMAT = Message(
    ko="형식이 {found}입니다(이 판은 {known})",
    en="its format is {found}, not {known}",
)
SHOWN = Message(
    ko="'shown'은 0과 1 사이의 수인데 {shown}입니다",
    en="'shown' lies between 0 and 1, not at {shown}",
)
MASKED = Message(
    ko="'masked'는 종류(person, body, place, number)마다 0 이상 1 미만의 수인데 {masked}입니다",
    en="'masked' gives a kind (person, body, place, number) 0 to below 1, not {masked}",
)
CERTAIN = Message(
    ko="'certain'은 name과 person에 0보다 크고 1 이하인 수인데 {certain}입니다",
    en="'certain' gives name and person above 0 up to 1, not {certain}",
)
NO_CARDS = Message(
    ko="종류 '{kind}', '{state}'의 점수표는 없습니다",
    en="there are no cards of kind '{kind}', '{state}'",
)
TWO_CARDS = Message(
    ko="종류 '{kind}', '{state}'의 점수표가 둘입니다",
    en="there are two cards of kind '{kind}', '{state}'",
)
NO_JSON = Message(
    ko="{line}째 줄 {column}째 글자에서 JSON이 깨졌습니다",
    en="its JSON is broken at line {line}, character {column}",
)
NO_TABLE = Message(ko="'{{'로 시작하는 JSON이 아닙니다", en="it is no JSON object ({{ … }})")
CARD_MISSING = Message(
    ko="종류 '{kind}', '{state}'의 점수표가 없거나 비었습니다",
    en="the cards of kind '{kind}', '{state}' are missing or empty",
)
CUTS = Message(
    ko="{place}: 자르는 값은 커지는 순서로 쓰고, 점수는 그보다 하나 많게 쓰십시오",
    en="{place}: cuts rise, and there is one more of points",
)
NO_FEATURE = Message(
    ko="{place}: 후보에는 이런 특성이 없습니다",
    en="{place}: no candidate has such a feature",
)
NO_LABEL = Message(
    ko="{place}: 분류 체계에 id가 {id}인 라벨이 없습니다",
    en="{place}: the taxonomy has no label with the id {id}",
)
NO_RECOGNISER = Message(
    ko="{place}: '{name}'(이)라는 인식기가 없습니다",
    en="{place}: there is no recogniser '{name}'",
)
NO_NUMBER = Message(ko="{place}: {value}은(는) 수가 아닙니다", en="{place}: {value} is no number")
