"""What is said of a tagger's folder: what is wrong with it, and the cure; Korean and English."""

from thunder.settings.messages import Message

# --- which tagger ---------------------------------------------------------------------------------
NO_TAGGER = Message(
    ko="'{name}' 폴더가 없습니다. 함께 배포된 태거: {there}{without}. --model 폴더를 주거나, "
    "규칙만 쓰려면 --model {none}(RULES_ALONE)을 주십시오",
    en="there is no folder '{name}', and the shipped taggers are {there}{without}. Give --model "
    "FOLDER, or --model {none} for the rules alone (RULES_ALONE)",
)
NONE_SHIPPED = Message(ko="없음", en="none")
WITHOUT_TAGGERS = Message(
    ko="({folder} 없이 설치되었으니 thunder-deid를 다시 설치하십시오)",
    en=" (this copy was installed without {folder}: install thunder-deid again)",
)
NO_PICKLE = Message(
    ko="{place}: 피클로 저장한 가중치는 어떤 코드든 실행할 수 있어 읽지 않습니다. safetensors로 "
    "저장하십시오(finetune/export.py가 그런 폴더를 씁니다)",
    en="{place}: weights in a pickle are refused, for they can run any code; save them as "
    "safetensors (finetune/export.py writes such folders)",
)

# --- its files ------------------------------------------------------------------------------------
UNKNOWN = Message(
    ko="{name} '{value}'은(는) 모르는 값입니다. 쓸 수 있는 것: {known}",
    en="unknown {name} '{value}'; known are {known}",
)
NO_FOLDER = Message(
    ko="{path}: 파일이 없습니다. 태거의 폴더가 아닙니다",
    en="{path} is missing: this is no folder of a tagger",
)
OTHER_FORMAT = Message(ko="형식이 {format}이(가) 아닙니다", en="its format is not {format}")
DAMAGED = Message(
    ko="{path}: 손상되었거나 다른 판입니다({why}). 태거를 다시 내보내거나 설치하십시오",
    en="{path}: damaged or of another version: {why}",
)
FILE_MISSING = Message(
    ko="{path}: 파일이 없습니다. 태거를 다시 내보내십시오",
    en="{path} is missing: export the tagger again",
)
ALTERED = Message(
    ko="{path}: 내보낸 뒤에 바뀌었습니다. 다시 내보내십시오",
    en="{path}: altered since it was exported; export it again",
)
OTHER_LABELS = Message(
    ko="{folder}: 그 라벨은 {place}에 있는 분류 체계의 것도, 그 앞선 판의 것도 아닙니다. 학습할 때 "
    "쓴 분류 체계를 주거나(--taxonomy) 다시 학습하십시오",
    en="{folder}: its labels are not those of the taxonomy in {place}, nor earlier ones of it: "
    "give the taxonomy it was trained with, or train it again",
)
OTHER_CLASSES = Message(
    ko="{folder}: 태거는 {own}개, 분류 체계는 {number}개로 나누고, 학습한 뒤에 더한 라벨은 "
    "{missing}개입니다. 서로 맞지 않으므로 다시 학습하십시오",
    en="{folder}: has {own} classes, the taxonomy {number}, and {missing} labels were added since "
    "it was trained: these do not belong together; train it again",
)
OTHER_SCORES = Message(
    ko="태거는 토큰마다 점수 {own}개를 주고 분류 체계는 {number}개({scheme})로 나눕니다. 서로 맞지 "
    "않습니다. 학습할 때 쓴 분류 체계를 주십시오",
    en="the model gives {own} scores a token, the taxonomy has {number} classes ({scheme}): they "
    "do not belong together",
)
OTHER_TOKENIZER = Message(
    ko="{place}: 그 안의 토크나이저는 학습할 때의 것이 아닙니다. 태거를 다시 내보내십시오",
    en="{place}: the tokenizer in it is not the one it was trained with",
)
NEEDS_TRUST = Message(
    ko="{place}: 이 모델은 그 폴더의 프로그램 코드로 만들어지고, 그 코드는 이 컴퓨터에서 무엇이든 "
    "할 수 있습니다. 읽어 보고 만든 사람을 믿으면 허락하십시오(--trust, 또는 [model]의 'trust = "
    "true')",
    en="{place}: its network is made by program code in that folder, which could do anything on "
    "this computer: read it, and if you trust who made it, allow it (--trust, or 'trust = true' in "
    "[model])",
)
NO_CONFIGURATION = Message(
    ko="{path}: 모델의 설정 파일이 아닙니다: {why}", en="{path}: no configuration of a model: {why}"
)

# --- recall ---------------------------------------------------------------------------------------
NOTHING_SET = Message(
    ko="재현율 {recall:g}의 문턱값이 없습니다. 개발용 문서로 정하십시오: thunder tagger thresholds",
    en="no thresholds were set for a recall of {recall:g}: set them on development documents with "
    "'thunder tagger thresholds'",
)
BEYOND = Message(
    ko="재현율 {recall:g}의 문턱값이 없습니다. 이 태거에 있는 것: {known}. 그 사이의 값이면 더 "
    "엄격한 쪽을 씁니다",
    en="a recall of {recall:g} was not set: this tagger's thresholds are for {known}; what lies "
    "between takes the stricter one",
)
OTHER_THRESHOLDS = Message(
    ko="형식이 {format}이(가) 아닙니다. 문턱값을 다시 정하십시오",
    en="its format is not {format}: set the thresholds anew",
)
NO_SET = Message(ko="문턱값이 하나도 없습니다. 다시 정하십시오", en="it holds no set of thresholds")
