"""What is said of a taxonomy's files, in Korean and in English."""

from thunder.settings.messages import Message

CANNOT_SET = Message(
    ko="'{key}'는 이 명령으로 바꿀 수 없습니다. 바꿀 수 있는 것: {known}",
    en="cannot set '{key}'; what can be set is {known}",
)
NOT_AMONG_FILES = Message(
    ko="{name} 파일이 있는데 files에 없습니다. 적어 넣거나 파일을 치우십시오",
    en="{name} is there, but not among the files",
)
OTHER_MAIN = Message(
    ko="'{main}' 파일에 '{identifier}'라고 적혀 있습니다. '{main}'으로 적으십시오",
    en="'{identifier}' in a file of '{main}'",
)
NO_OMISSION = Message(
    ko="omission을 적었는데 treatment가 {treatment}입니다. 하나를 고치십시오",
    en="an omission's name, but the treatment is {treatment}",
)
NEEDS_REASON = Message(
    ko="남기는(keep) 라벨에는 까닭(reason)을 적어야 합니다",
    en="what is kept readable needs a reason",
)
EMPTY_LIST = Message(
    ko="목록이 비어 있습니다. 하나라도 적으십시오",
    en="the list is empty",
)
BREAKS_MARKS = Message(
    ko="'{name}'은 표시 <<<…>>>를 깨뜨립니다. <, >, 맨 앞의 /를 쓰지 마십시오",
    en="'{name}' would break the mark-up <<<…>>> (no <, >, leading /)",
)
UNREAD = Message(
    ko="이 이름의 파일은 아무것도 읽지 않습니다{meant}. 이름을 고치거나 분류 체계 밖으로 "
    "옮기십시오",
    en="nothing reads a file of this name{meant}: rename it, or move it out of the taxonomy",
)
MEANT = Message(ko="('{name}'을(를) 뜻했습니까)", en=" (is {name} meant?)")
NAME_TAKEN = Message(
    ko="'{name}'이라는 이름은 벌써 있습니다: {what}. 다른 이름을 쓰십시오",
    en="'{name}' is already {what}",
)
GIVEN_TWICE = Message(
    ko="'{name}'({kind})을 두 번 적었습니다. 처음 적은 곳: {first}",
    en="the {kind} '{name}' is given twice, first at {first}",
)
ID_POSITIVE = Message(
    ko="id는 1부터입니다(0은 라벨이 아닌 것)",
    en="an id is a positive number (0 is outside)",
)
ID_REUSED = Message(
    ko="id {number}은 폐지한 라벨 {was}의 것입니다. id는 다시 쓰지 않습니다",
    en="the id {number} was {was}; ids are never reused",
)
ID_TWICE = Message(
    ko="id {number}을 두 번 적었습니다. 처음 적은 곳: {first}",
    en="the id {number} is given twice, first at {first}",
)
ID_MISSING = Message(
    ko="앞 번호 {before}인 라벨이 없습니다. 뺀 라벨은 retired.yaml에 "
    "적으십시오(thunder taxonomy retire)",
    en="there is no id {before}: list what was taken out in retired.yaml",
)
RETIRED_ID = Message(
    ko="id {number}은 1보다 작거나 두 번 적혔습니다",
    en="the id {number} is not positive or given twice",
)
NO_SUCCESSOR = Message(
    ko="{number}의 successor를 따라가도 라벨이 없습니다",
    en="the successor of {number} leads to no label",
)
NO_LABEL_NAME = Message(
    ko="'{name}'은 라벨의 이름이 아닙니다",
    en="'{name}' is not the name of a label",
)
CHANGED_SINCE = Message(
    ko="이 이행 기록 뒤에 라벨의 이름이나 id, retired.yaml을 손으로 "
    "바꾸었습니다('after'와 맞지 않습니다). 되돌리고(git diff {folder}) thunder "
    "taxonomy add, rename, merge, split, retire로 바꾸십시오",
    en="the digest under 'after' does not fit the labels: since this migration a "
    "name, an id or retired.yaml was changed by hand; undo that (git diff "
    "{folder}) and use thunder taxonomy add, rename, merge, split or retire",
)
CHANGED_BY_HAND = Message(
    ko="라벨의 이름이나 id, retired.yaml을 손으로 바꾸었습니다. 되돌리고 thunder "
    "taxonomy add, rename, merge, split, retire로 바꾸십시오",
    en="a name, an id or retired.yaml was changed by hand: undo that and use thunder "
    "taxonomy add, rename, merge, split or retire",
)
NOBODY = Message(ko="(없음)", en="(none)")
NAMED_BY_HAND = Message(
    ko="손으로 바꾼 라벨입니다: {was} → {now}. 되돌린 뒤 thunder taxonomy "
    "rename(더하면 add, 빼면 merge나 retire)으로 바꾸십시오",
    en="changed by hand: {was} → {now}; undo that, then use thunder taxonomy rename "
    "(add for a new one, merge or retire for one that goes)",
)
OTHER_NUMBER = Message(
    ko="파일 이름은 {name}인데 number가 {number}입니다",
    en="number {number} in a file called {name}",
)
IS_NOT = Message(
    ko="'{value}'는 {what} 꼴이 아닙니다",
    en="'{value}' is not {what}",
)
MIGRATION_NAME = Message(
    ko="이행 기록 파일의 이름은 NNNN-내용.yaml입니다",
    en="a migration is called NNNN-what.yaml",
)
OUT_OF_ORDER = Message(
    ko="순서가 맞지 않습니다: {expected:04}이 올 자리에 {number:04}이 있습니다",
    en="out of order: number {number:04} stands where {expected:04} must",
)
DOES_NOT_FOLLOW = Message(
    ko="앞의 {number:04}에 이어지지 않습니다('before'가 그 'after'와 다릅니다). 둘 "
    "가운데 하나가 없거나 바뀌었거나 순서가 다릅니다",
    en="does not follow {number:04}: its digest 'before' is not the 'after' of that "
    "one; one of them is missing, changed or out of order",
)
ID_GIVEN = Message(
    ko="id {number}은 벌써 쓴 번호입니다. id는 다시 쓰지 않습니다",
    en="the id {number} was given out before; ids are never reused",
)
NAME_WAS = Message(
    ko="'{name}'은 라벨 {owner}의 이름이었으므로 라벨 {number}의 이름이 될 수 "
    "없습니다. 다른 이름을 쓰십시오",
    en="'{name}' was the name of label {owner} and cannot be that of {number}",
)
WENT_AWAY = Message(
    ko="라벨 {number}은 이행 기록 {migration:04}에서 없어졌습니다",
    en="label {number} went away in {migration:04}",
)
NOW_CALLED = Message(
    ko="라벨 {number}의 이름은 이제 {name}입니다({was}가 아닙니다)",
    en="label {number} is {name}, not {was}, by now",
)
NAME_SHIPPED = Message(
    ko="'{name}'은 들어 있는 라벨 {number}의 이름인데 새 라벨의 이름이기도 합니다. 새 "
    "라벨에 다른 이름을 주십시오",
    en="'{name}' is the shipped label {number} and names a new one here, too: give "
    "the new one another name",
)
UNKNOWN_PROFILE = Message(
    ko="{where}에 기준 {name!r}이 없습니다. 있는 것: {known}",
    en="unknown profile {name!r} in {where}; known are {known}",
)
EXTENDS_UNKNOWN = Message(
    ko="extends에 적은 기준 {name!r}이 없습니다. 있는 것: {known}",
    en="extends an unknown profile {name!r}; known: {known}",
)
UNKNOWN_LABEL_HERE = Message(
    ko="모르는 라벨 {name!r}입니다. thunder taxonomy tree를 보십시오",
    en="unknown label {name!r}: see thunder taxonomy tree",
)
KEEPS_NOTHING = Message(
    ko="남길 것이 없습니다. names, endings, patterns 가운데 하나를 적으십시오",
    en="keeps nothing: give names, endings or patterns",
)
UNKNOWN_GROUP = Message(
    ko="모르는 라벨이나 분류 {name!r}입니다",
    en="unknown label or category {name!r}",
)
NO_PATTERN = Message(
    ko="여기의 patterns는 정규식이 아닙니다: {why}",
    en="a pattern here is no regular expression: {why}",
)
NO_SUCH_ID = Message(
    ko="id {number}인 라벨이 없습니다{was}{into}",
    en="no label has the id {number}{was}{into}",
)
IT_WAS = Message(
    ko=". 폐지한 {name}의 번호입니다",
    en=", it was {name}",
)
WENT_INTO = Message(
    ko=". {name}({number})에 합쳐졌습니다",
    en=" and went into {name} ({number})",
)
UNKNOWN_LABEL = Message(
    ko="모르는 라벨 '{name}'입니다{hint}. 모두 보기: thunder taxonomy tree --depth 4",
    en="unknown label '{name}'{hint}; thunder taxonomy tree --depth 4 shows all",
)
NEAR_IT = Message(
    ko=". 비슷한 라벨: {names}",
    en="; near it are {names}",
)

# --- what things are called -----------------------------------------------------------------------

MAIN_CATEGORY = Message(ko="대분류", en="main category")
FILE = Message(ko="파일", en="file")
SUBCATEGORY = Message(ko="중분류", en="subcategory")
CODE = Message(ko="코드", en="code")
CATEGORY_OF = Message(ko="{code}의 소분류", en="category of {code}")
A_LABEL = Message(ko="라벨", en="a label")
AN_ALIAS = Message(ko="{name}의 별칭", en="an alias of {name}")
AT = Message(ko="{kind}, 있는 곳 {place}", en="{kind} at {place}")
NO_LABEL = Message(ko="라벨이 없는 이름", en="a name without a label")
A_DATE = Message(ko="'2026-07-01' 같은 날짜", en="a date like '2026-07-01'")
A_DIGEST = Message(ko="SHA-256(16진수)", en="a SHA-256 in hex")

FIELDS = Message(
    ko="칸이 {found}개인데 {needed}개여야 합니다({columns}). 칸 사이에는 탭을 하나씩 넣으십시오",
    en="{found} fields, not {needed} ({columns}): write one tab between two of them",
)
EMPTY_FIELD = Message(
    ko="{column}번째 칸이 비어 있습니다. 적어 넣거나 줄을 지우십시오",
    en="the field {column} is empty: fill it in or take the line out",
)
NO_NUMBER = Message(
    ko="'{written}'은(는) 수가 아닙니다. 12나 0.5처럼 적으십시오",
    en="'{written}' is no number: write one such as 12 or 0.5",
)
NO_CHOICE = Message(
    ko="'{written}'은(는) 쓸 수 없습니다. 다음 가운데 하나를 적으십시오: {choices}",
    en="'{written}': write one of {choices}",
)
NO_LABEL_THERE = Message(
    ko="분류 체계에 라벨 '{written}'이(가) 없습니다. '{meant}'처럼 번호와 이름을 적으십시오",
    en="the taxonomy has no label '{written}': write its id and name, as in '{meant}'",
)
NO_ROWS = Message(
    ko="줄이 하나도 없습니다. 줄을 적거나, 제공된 표를 쓰려면 파일을 지우십시오",
    en="there is no row: write one, or take the file away to use the table that ships",
)
NO_LABEL_CALLED = Message(
    ko="분류 체계에 '{written}'이라는 라벨이 없습니다. thunder taxonomy show로 이름을 찾으십시오",
    en="the taxonomy has no label '{written}': thunder taxonomy show finds its name",
)
TWO_LABELS = Message(
    ko="'{noun}'은(는) 위에서 {label}의 낱말입니다. 한 곳에서 지우십시오",
    en="'{noun}' is a noun of {label} above: take it out of one of them",
)
NO_NOUN = Message(
    ko="'{noun}'은(는) organisations에도 places에도 없습니다. 그곳에 먼저 적으십시오",
    en="'{noun}' is no noun of organisations or places: write it there first",
)
ROW_TWICE = Message(
    ko="'{written}'이(가) {first}행에 벌써 있습니다. 한 줄로 합치십시오",
    en="'{written}' stands in line {first} already: put both into one line",
)
NO_LAYOUT = Message(
    ko="'{written}'은(는) 자릿수가 아닙니다. 3-2-6처럼 묶음마다 자릿수를 적으십시오",
    en="'{written}' is no layout: write how many digits each group has, as in 3-2-6",
)
