"""What is said of an edit of the labels, in Korean and in English."""

from thunder.settings.messages import Message

FILE_EMPTIED = Message(
    ko="{path}:1: 이 파일에 라벨이 하나도 남지 않습니다. 하나는 있어야 합니다",
    en="{path}:1: would be left without a label, and a file must have one",
)
NO_ID = Message(
    ko="id {number}인 라벨이 없습니다",
    en="no label has the id {number}",
)
NO_CATEGORY_IN = Message(
    ko="{path}:1: 분류 '{category}'가 없습니다",
    en="{path}:1: there is no category '{category}'",
)
CALLED_THAT = Message(
    ko="{name}의 이름은 벌써 그렇습니다",
    en="{name} is called that already",
)
OMISSION_OF_BOTH = Message(
    ko="이제 둘 다 판결에 ({omission} 1 생략)으로 나옵니다",
    en="judgments say ({omission} 1 생략) for both from now on",
)
STAY_WITH_FIRST = Message(
    ko="'{was}' 표시는 '{first}'의 것으로 남습니다. 다르게 나누려면 --mentions로 목록을 주십시오",
    en="annotations of {was} stay with {first}, unless a mention list says otherwise",
)
STANDS_THERE = Message(
    ko="{name}은 벌써 {code} {category}에 있습니다",
    en="{name} stands in {code} {category} already",
)
CODE_NAMES = Message(
    ko="{place}: 프로그램이 '{name}'을 씁니다. 폐지하지 말고 다른 라벨에 합치십시오(merge)",
    en="{place}: the library itself names '{name}': merge it instead",
)
LIST_OF_NONE = Message(
    ko="{name}의 표현 목록을 주었는데, 새 라벨은 {names}입니다",
    en="a mention list for {name}, which is none of {names}",
)
IN_TWO_LISTS = Message(
    ko="한 표현이 {one}과 {other}의 목록에 다 있습니다. 하나에서 빼십시오",
    en="a mention stands in the lists of {one} and {other}",
)
INTO_ITSELF = Message(
    ko="{name}을 자신에게 합칠 수 없습니다",
    en="{name} cannot be merged into itself",
)
TREATED_OTHERWISE = Message(
    ko="{gone}의 treatment는 '{one}', {stays}는 '{other}'입니다. 합치면 가리던 것이 "
    "보일 수 있습니다. 먼저 같게 하십시오: thunder taxonomy set {gone} treatment "
    "{other}",
    en="{gone} is treated as '{one}', {stays} as '{other}': what is masked now might "
    "be readable then. Make them equal first: thunder taxonomy set {gone} "
    "treatment {other}",
)
HOLDS_SOMETHING = Message(
    ko="{place}: 벌써 무엇이 들어 있습니다. 없는 폴더의 이름을 주십시오",
    en="{place}: holds something already; give a folder that is not there",
)
LIES_IN_SHIPPED = Message(
    ko="{place}: 들어 있는 분류 체계 안입니다. 다른 곳의 폴더를 주십시오",
    en="{place}: lies in the shipped taxonomy; give a folder elsewhere",
)
CANNOT_TAKE = Message(
    ko="{name}: 가져올 수 있는 것은 {places} 안에 있습니다",
    en="{name}: what can be taken lies in {places}",
)
NOT_SHIPPED = Message(
    ko="{name}: 들어 있는 것에 그런 파일이나 폴더가 없습니다",
    en="{name}: the shipped taxonomy has no such file or folder",
)
SHIPPED_NOT_EDITED = Message(
    ko="{place}: 들어 있는 분류 체계는 고치지 않습니다. 다음에 설치하면 되돌아갑니다. "
    "'thunder taxonomy init FOLDER'로 자체 분류 체계를 만들고 --taxonomy FOLDER를 "
    "주십시오(또는 THUNDER_TAXONOMY=FOLDER, 또는 thunder.toml의 [places] taxonomy)",
    en="{place}: the shipped taxonomy is not edited, the next installation would undo "
    "it; make one of your own with 'thunder taxonomy init FOLDER', then give "
    "--taxonomy FOLDER (or set THUNDER_TAXONOMY=FOLDER, or taxonomy under [places] "
    "in thunder.toml)",
)
HOMONYM = Message(
    ko="'{name}'은 공개된 표시에서 다른 라벨을 뜻합니다. 옛 표시의 뜻을 가릴 수 없게 "
    "되니, 먼저 여기에서 빼십시오",
    en="'{name}' means another label in the released annotations: what an old mark "
    "says could not be told any more; take this entry out first",
)
TREATS_DIFFERENTLY = Message(
    ko="'{one}'과 '{other}'을 다르게 다룹니다. 먼저 같게 하십시오",
    en="treats '{one}' and '{other}' differently: make them equal first",
)
NAMES_IT = Message(
    ko="'{name}'이 적혀 있습니다. 먼저 여기에서 빼거나, 라벨을 합치십시오(merge)",
    en="names '{name}': take it out here first, or merge the label",
)
IN_BRACKETS = Message(
    ko="괄호 안에 적혀 있습니다. treatments를 한 줄에 하나씩 적으십시오",
    en="stands in brackets: write treatments as a line each first",
)
BESIDE_IN_BRACKETS = Message(
    ko="괄호 안에 '{name}'과 나란히 있습니다. 먼저 손으로 빼십시오",
    en="stands beside '{name}' in brackets: take it out by hand first",
)
CANNOT_ADD = Message(
    ko="'{name}'에 자동으로 더할 수 없습니다. 먼저 손으로 더하십시오",
    en="cannot be added to '{name}' by machine: do so by hand first",
)
STANDS_ELSEWHERE = Message(
    ko="{name}은 다른 곳에 있습니다: {code} {category}",
    en="{name} stands elsewhere, in {code} {category}",
)
LIBRARY_NAMES = Message(
    ko="프로그램이 {name}을 씁니다(옛 이름도 계속 통합니다): {places}",
    en="the library names {name} itself (it still works): {places}",
)
NO_SUBCATEGORY = Message(
    ko="중분류 {code}이 없습니다. 있는 것: {codes}",
    en="there is no subcategory {code}; known are {codes}",
)
WHICH_SUBCATEGORY = Message(
    ko="분류 {category}을 어느 중분류에 둘지 --code로 주십시오",
    en="in which subcategory is {category} to be? give its code",
)
HAS_CATEGORY = Message(
    ko="{code}에 분류 {category}이 벌써 있습니다. --category-en을 빼십시오",
    en="{code} has a category {category} already",
)
STILL_SAY = Message(
    ko="판결에는 여전히 ({name} 1 생략)으로 나옵니다. 바꾸려면 omission을 "
    "바꾸십시오(thunder taxonomy set)",
    en="judgments still say ({name} 1 생략): the key 'omission' decides that",
)
TWO_CATEGORIES = Message(
    ko="{codes}에 분류 {category}이 하나씩 있습니다. --code도 주십시오",
    en="{codes} have a category {category} each: give the code as well",
)
IN_CODE = Message(
    ko="{code}에 ",
    en=" in {code}",
)
NO_CATEGORY = Message(
    ko="{where}분류 {category}이 없습니다(thunder taxonomy tree로 모두 볼 수 "
    "있습니다). 새 분류면 --category-en과 --code를 주십시오",
    en="there is no category {category}{where} (thunder taxonomy tree shows all); for "
    "a new one give its English name and its subcategory's code",
)
HOLDS_NOTHING = Message(
    ko="{path}: {suffixes} 파일도 대체 목록도 없습니다",
    en="{path}: holds no {suffixes} and no replacement lists",
)
UNKNOWN_HOLD = Message(
    ko="{path}: 무엇이 들었는지 모릅니다. 아는 형식: {suffixes}",
    en="{path}: what this holds is not known; known are {suffixes}",
)
KEY_TWICE = Message(
    ko="키 '{key}'를 두 번 적었습니다",
    en="the key '{key}' is given twice",
)
NOT_ONE_OBJECT = Message(
    ko="JSON 개체 하나가 아닙니다. 한 줄에 개체 하나를 적으십시오",
    en="not one JSON object",
)
NO_TEXT = Message(
    ko="'text'에 글이 없거나 둘입니다",
    en="no text under 'text', or two",
)
NOT_UTF8_AT = Message(
    ko="{byte}번째 바이트가 UTF-8이 아닙니다. 파일을 UTF-8로 저장하십시오",
    en="not UTF-8 at byte {byte}: save the file as UTF-8",
)
NOT_JSON_AT = Message(
    ko="{column}번째 글자에서 JSON이 아닙니다: {why}",
    en="not JSON at column {column}: {why}",
)
RULE_NEEDS = Message(
    ko="규칙에는 parts와 patterns, 또는 maker가 있어야 합니다",
    en="a rule needs parts and patterns, or a maker",
)
NOT_JSON = Message(
    ko="JSON이 아닙니다: {why}",
    en="not JSON: {why}",
)
UNREADABLE = Message(
    ko="읽을 수 없습니다: {why}",
    en="cannot be read: {why}",
)
NOT_CSV = Message(
    ko="CSV가 아닙니다: {why}",
    en="not CSV: {why}",
)
MARKS_LEFT = Message(
    ko="표시를 그대로 둠: 없어진 라벨이므로 가린 글이라는 것만 뜻합니다",
    en="marks left: the label went away, they mark masked text without a label",
)
MARKS_UNDECIDED = Message(
    ko="표시. {others}일 수도 있으니 사람이 정해야 합니다",
    en="marks, any of which may be {others}: only a person can tell",
)
MARKS = Message(
    ko="표시",
    en="marks",
)
LEFT_GONE = Message(
    ko="{what}: 라벨이 없어져 그대로 둠",
    en="{what} left: the label went away",
)
BEFORE_SPLIT = Message(
    ko="{what}: {others}을 나누기 전의 것",
    en="{what} from before {others} were split off",
)
ADDED_UP = Message(
    ko="수를 더함",
    en="counts added up",
)
MEASURE_AGAIN = Message(
    ko="두 라벨의 수치: 다시 재야 함",
    en="figures of two labels: to be measured again",
)
LINES_AWAY = Message(
    ko="라벨과 함께 뺀 행",
    en="lines taken away with the label",
)
MENTIONS = Message(
    ko="표현",
    en="mentions",
)
RULE_FILE = Message(
    ko="규칙 파일",
    en="rule file",
)
NOT_HANDED_ON = Message(
    ko="규칙 파일이라 표현을 넘기지 않음",
    en="a rule file: mentions not handed on",
)
