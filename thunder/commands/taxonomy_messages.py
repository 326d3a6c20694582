"""What ``thunder taxonomy`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

# --- all of them ----------------------------------------------------------------------------------

IN_TAXONOMY = Message(ko="분류 체계에서", en="in the taxonomy")
IN_MIGRATIONS = Message(ko="이행 기록에서", en="in its migrations")
IN_FILES = Message(ko="파일에서", en="in the files")
TO_MEND = Message(
    ko="{where} 고칠 곳을 {number}건 찾았습니다.", en="{number} to be mended {where}."
)
UNCHANGED = Message(ko="바뀐 것이 없습니다.", en="Nothing was changed.")
FINISHED = Message(
    ko="{folder}: 중단되었던 변경을 끝마쳤습니다: {title}",
    en="{folder}: finished what was interrupted: {title}",
)
DROPPED = Message(
    ko="{folder}: 중단되었던 변경을 되돌렸습니다. 바뀐 것이 없습니다.",
    en="{folder}: dropped what was interrupted before it changed anything",
)
IN_ORDER = Message(
    ko="분류 체계에 이상이 없습니다. 중분류 {subcategories}개, 소분류 {categories}개, 라벨 "
    "{labels}개; 판 {version}, {digest}; 이행 기록 {migrations}건",
    en="The taxonomy is in order: {subcategories} subcategories, {categories} granular categories, "
    "{labels} labels; version {version}, {digest}; {migrations} migrations",
)

# --- edits ----------------------------------------------------------------------------------------

MADE = Message(
    ko="{place}: 자체 분류 체계를 만들었습니다.\n이제 --taxonomy {place} 또는 환경 변수 "
    "THUNDER_TAXONOMY={place} 가운데 하나를 쓰십시오.",
    en="{place}: a taxonomy of your own was made.\nNow give --taxonomy {place}, or set "
    "THUNDER_TAXONOMY={place}.",
)
WRITTEN = Message(ko="{path}: 씀", en="{path}: written")
REMOVED = Message(ko="{path}: 지움", en="{path}: removed")
NOTE = Message(ko="알림: {text}", en="note: {text}")
OPERATIONS = {
    "add": Message(ko="라벨 추가", en="Label added"),
    "rename": Message(ko="라벨 이름 변경", en="Label renamed"),
    "merge": Message(ko="라벨 병합", en="Label merged"),
    "split": Message(ko="라벨 분할", en="Label split"),
    "move": Message(ko="라벨 이동", en="Label moved"),
    "retire": Message(ko="라벨 폐지", en="Label retired"),
}
EDITED = Message(
    ko="{what}: 파일 {files}개를 바꾸었습니다. 이행 기록 {number:04}.",
    en="{what}: {files} files changed. Migration {number:04}.",
)
WHAT = Message(ko="{what} (번호 {ids}), 판 {version}", en="{what} (id {ids}), version {version}")
WOULD_EDIT = Message(
    ko="{what}: 미리보기이며 바꾸지 않았습니다. 이행 기록 {number:04}.",
    en="{what}: shown only, nothing was changed. Migration {number:04}.",
)
SET = Message(
    ko="{path}: {label}: {key} = {now} (앞: {was})",
    en="{path}: {label}: {key} = {now} (was: {was})",
)
WOULD_SET = Message(
    ko="{path}: {label}: {key} = {now} (앞: {was}). 미리보기이며 바꾸지 않았습니다.",
    en="{path}: {label}: {key} = {now} (was: {was}). Shown only, nothing was changed.",
)
ALIASES_LOST = Message(
    ko="알림: 이제 별칭이 아닌 이름: {names}. 이 이름으로 단 주석은 읽히지 않습니다. 모두 두려면: "
    'aliases "{all}"',
    en="note: no longer an alias: {names}. What is annotated by it is not read any more. To keep "
    'all: aliases "{all}"',
)
NOT_OF_FORM = Message(
    ko="'{given}'은 {form} 꼴이 아닙니다", en="'{given}' is not of the form {form}"
)
NO_MENTION = Message(
    ko="{path}:1: 표현이 없습니다. 한 줄에 하나씩 적으십시오", en="{path}:1: holds no mention"
)
NO_LISTS = Message(
    ko="{place}: 그런 대체 목록 폴더가 없습니다",
    en="{place}: there is no such folder of replacement lists",
)

# --- migrate and diff -----------------------------------------------------------------------------

LEFT = {
    "tagger": Message(
        ko="{place}: 모델은 그대로 둡니다. 라벨을 번호(id)로 알고, 기준값에 적힌 옛 이름은 읽을 때 "
        "따라갑니다.",
        en="{place}: a tagger, left whole: it knows labels by ids, and the names in its thresholds "
        "are followed when it is opened.",
    ),
    "checkpoint": Message(
        ko="{place}: 학습 중간 저장은 그대로 둡니다. 라벨을 번호(id)로 압니다.",
        en="{place}: a run's checkpoint, left whole: it knows labels by ids.",
    ),
    "dataset": Message(
        ko="{place}: 데이터셋은 그대로 둡니다. 라벨을 번호(id)로 압니다. 새로 채우려면 만들 때의 "
        "대체 목록이 있어야 합니다.",
        en="{place}: a dataset, left whole: it knows labels by ids. To draw it anew, the lists it "
        "was made with are needed.",
    ),
}
WOULD_MIGRATE = Message(
    ko="미리보기: 파일 {files}개가 바뀝니다(이행 기록 {last}까지). 아직 바꾸지 않았습니다.",
    en="Shown only: {files} files would change, up to migration {last}.",
)
MIGRATED = Message(
    ko="파일 {files}개를 이행 기록 {last}까지 맞추었습니다.",
    en="{files} files changed, up to migration {last}.",
)
NOTHING_TO_MIGRATE = Message(
    ko="바꿀 것이 없습니다. 이행 기록 {last}까지 반영되어 있습니다.",
    en="Nothing to change: all is up to migration {last}.",
)
NO_MIGRATION = Message(
    ko="이행 기록 {to:04}이 없습니다. 마지막은 {last:04}입니다",
    en="there is no migration {to:04}: the last is {last:04}",
)
STAYS = Message(ko="(그대로)", en="(stays)")
DONE_COLUMNS = (
    Message(ko="라벨", en="label"),
    Message(ko="바뀐 이름", en="becomes"),
    Message(ko="무엇", en="what"),
    Message(ko="개수", en="number"),
    Message(ko="파일", en="files"),
    Message(ko="이행 기록", en="migration"),
)
DIFF_COLUMNS = (
    Message(ko="무엇", en="what"),
    Message(ko="라벨", en="label"),
    Message(ko="앞", en="was"),
    Message(ko="뒤", en="is"),
)
KINDS = {
    "added": Message(ko="추가", en="added"),
    "retired": Message(ko="폐지", en="retired"),
    "renamed": Message(ko="이름", en="renamed"),
    "moved": Message(ko="이동", en="moved"),
    "translation": Message(ko="번역", en="translation"),
    "treatment": Message(ko="처리", en="treatment"),
    "aliases": Message(ko="별칭", en="aliases"),
    "heading": Message(ko="분류", en="heading"),
}
SAME = Message(ko="다른 것이 없습니다", en="no difference")
DIFFERENCES = Message(
    ko="두 분류 체계의 차이: {number}건", en="Differences between the two: {number}"
)
MORE_LINES = Message(ko="… 그 밖에 {number}줄", en="… and {number} lines more")
LAID = {
    "new": Message(
        ko="자체 파일(들어 있는 것에 더합니다)", en="of your own, beside the shipped ones"
    ),
    "same": Message(ko="들어 있는 것과 같습니다", en="the same as the shipped one"),
    "other": Message(ko="들어 있는 것 대신 씁니다", en="instead of the shipped one"),
}

# --- stats --------------------------------------------------------------------------------------

TIER_COUNTS = (
    Message(ko="1 대분류", en="1 main categories"),
    Message(ko="2 중분류", en="2 subcategories"),
    Message(ko="3 소분류", en="3 granular categories"),
    Message(ko="  라벨", en="  labels"),
    Message(ko="  별칭", en="  aliases"),
    Message(ko="  라벨이 없는 이름", en="  names without a label"),
    Message(ko="  뜻이 둘인 이름", en="  homonyms"),
    Message(ko="  없앤 번호", en="  retired ids"),
)
"""What ``stats`` counts, in order."""

TIER = Message(ko="단계", en="tier")
NUMBER = Message(ko="수", en="number")
SUBCATEGORY = Message(ko="중분류", en="subcategory")
TIER_3 = Message(ko="소분류", en="tier 3")
LABELS = Message(ko="라벨", en="labels")
ALIASES = Message(ko="별칭", en="aliases")
SOURCE = Message(ko="출처", en="source")
ALL = Message(ko="모두", en="all")
