"""What is wrong with a file of settings (thunder.toml, a run's TOML), in Korean and in English."""

from thunder.settings.messages import Message

UNREADABLE = Message(ko="{path}: 읽을 수 없습니다: {why}", en="{path}: cannot be read: {why}")
NOT_UTF8 = Message(
    ko="{path}: UTF-8이 아닙니다: UTF-8로 저장하십시오",
    en="{path}: is not UTF-8: save it as UTF-8",
)
NOT_TOML = Message(ko="{origin}: TOML이 아닙니다: {why}", en="{origin}: not TOML: {why}")
CHANGE_FORM = Message(
    ko="{origin}: 고칠 값은 table.key=value로 씁니다. {change!r}은(는) 그 꼴이 아닙니다",
    en="{origin}: a change is written table.key=value, not {change!r}",
)
CHANGE_NO_KEY = Message(
    ko="{origin}: {change!r}은(는) 표의 키가 아닙니다",
    en="{origin}: {change!r} names no key of a table",
)
CHANGE_NO_TABLE = Message(
    ko="{origin}: {change!r}: {name!r}이(가) 없어 들어갈 수 없습니다",
    en="{origin}: {change!r}: there is no {name!r} to go into",
)
MISSING = Message(ko="{where}빠진 키: {names}", en="{where}missing {names}")
UNKNOWN = Message(
    ko="{where}모르는 키 {key!r}. 아는 키: {known}",
    en="{where}unknown key {key!r}; known are {known}",
)
UNKNOWN_NEAR = Message(
    ko="{where}모르는 키 {key!r}: {near!r}입니까? 아는 키: {known}",
    en="{where}unknown key {key!r}; did you mean {near!r}? Known are {known}",
)
NOT_OF_KIND = Message(
    ko="{where}{key!r}에 쓸 것: {wanted}; 쓰인 것: {given}",
    en="{where}{key!r} must be {wanted}, not {given}",
)
NUMBER_OF_VALUES = Message(
    ko="{where}{key!r}에는 값이 {wanted}개 있어야 합니다: {given}개가 있습니다",
    en="{where}{key!r} needs {wanted} values, not {given}",
)
OR = Message(ko=" 또는 ", en=" or ")
ONE_OF = Message(ko="{choices} 가운데 하나", en="one of {choices}")
A_LIST = Message(ko="목록", en="a list")
A_TABLE = Message(ko="표", en="a table")
BOOL = Message(ko="true나 false", en="true or false")
INT = Message(ko="정수", en="a whole number")
FLOAT = Message(ko="수", en="a number")
STR = Message(ko="따옴표로 묶은 글", en="a text in quotes")
PATH = Message(ko="따옴표로 묶은 경로", en="a path in quotes")
NOTHING = Message(ko="빈 값", en="nothing")

# --- thunder.toml ---------------------------------------------------------------------------------

NO_FILE = Message(
    ko="{variable}: {named} 파일이 없습니다: 다른 파일을 가리키거나 변수를 지우십시오",
    en="{variable}: there is no file {named}: name another, or unset it",
)
RECALL_RANGE = Message(
    ko="'recall'은 0.9부터 0.999까지입니다: {given}",
    en="'recall' goes from 0.9 to 0.999, not {given}",
)
RECALL_NUMBER = Message(
    ko="{variable}: 'recall'에는 수를 주십시오: {given}",
    en="{variable}: 'recall' must be a number, not {given}",
)
DATA_NAME = Message(
    ko="{name!r}: 자료의 이름은 a-z, 0-9, '_'로 씁니다",
    en="the name {name!r} is not of a-z, 0-9 and '_'",
)
DATA_OWN = Message(
    ko="{name!r}은(는) [data.own]이 아니라 [data]에 적습니다",
    en="{name!r} stands in [data], not in [data.own]",
)
NO_DATA = Message(
    ko="{name!r}(이)라는 자료가 없습니다. 아는 이름: {known}. 다른 이름은 "
    "thunder.toml의 [data.own]에 적습니다",
    en="no data is called {name!r}; known are {known}; another is named under [data.own] in "
    "thunder.toml",
)
NO_DATA_NEAR = Message(
    ko="{name!r}(이)라는 자료가 없습니다: {near!r}입니까? 아는 이름: {known}. 다른 이름은 "
    "thunder.toml의 [data.own]에 적습니다",
    en="no data is called {name!r}; did you mean {near!r}? Known are {known}; another is named "
    "under [data.own] in thunder.toml",
)
NO_PLACE = Message(
    ko="data:{name}: {place}이(가) 없습니다: 가진 것이 있는 곳을 thunder.toml의 [data]에 "
    '적으십시오: {name} = "…" (docs/how-to/data.md)',
    en="data:{name}: there is no {place}: name where yours lies in thunder.toml, "
    '[data]: {name} = "…" (docs/how-to/data.md)',
)
NO_PLACE_CURE = Message(
    ko="data:{name}: {place}이(가) 없습니다: {cure}, 또는 가진 것이 있는 곳을 thunder.toml의 "
    '[data]에 적으십시오: {name} = "…" (docs/how-to/data.md)',
    en="data:{name}: there is no {place}: {cure}, or name where yours lies in thunder.toml, "
    '[data]: {name} = "…" (docs/how-to/data.md)',
)

# --- thunder settings -----------------------------------------------------------------------------

SETTING = Message(ko="설정", en="setting")
VALUE = Message(ko="값", en="value")
FROM = Message(ko="온 곳", en="from")
DEFAULT = Message(ko="기본값", en="default")
