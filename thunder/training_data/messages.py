"""What is said of lists and annotations, in Korean and in English: what is wrong, and the cure."""

from thunder.settings.messages import Message

# --- files of lists and parts ---------------------------------------------------------------------

CANNOT_BE_READ = Message(ko="읽을 수 없습니다: {why}", en="cannot be read: {why}")
NOT_UTF8 = Message(
    ko="UTF-8이 아닙니다. UTF-8로 저장하십시오", en="not UTF-8: save the file as UTF-8"
)
CP949 = Message(
    ko="UTF-8이 아니라 CP949(완성형)입니다. UTF-8로 저장하십시오",
    en="not UTF-8 but CP949 (완성형): save the file as UTF-8",
)
HEADER_BELOW = Message(
    ko="머리줄(#)이 표현 아래에 있습니다. 맨 위로 옮기십시오",
    en="a header line stands below a mention: move it to the top",
)
ALREADY = Message(
    ko="'{text}'은(는) {line}행에 벌써 있습니다. 하나를 지우십시오",
    en="'{text}' is already on line {line}: take one out",
)
BLANK = Message(ko="빈 줄입니다. 지우십시오", en="the line is blank: take it out")
PADDED = Message(
    ko="'{text}' 앞뒤에 빈칸이 있습니다. 지우십시오",
    en="'{text}' has spaces around it: take them out",
)
NOT_NFC = Message(
    ko="'{text}'은(는) 유니코드 완성형(NFC)이 아닙니다. 다시 입력하십시오",
    en="'{text}' is not in Unicode's composed form (NFC): type it again",
)
INVISIBLE = Message(
    ko="{text}에 보이지 않는 문자가 있습니다. 다시 입력하십시오",
    en="{text} holds an invisible character: type it again",
)
TWO_SPACES = Message(
    ko="'{text}'에 빈칸이 잇달아 두 개 있습니다. 하나로 줄이십시오",
    en="'{text}' holds two spaces in a row: leave one",
)
NO_HEADER = Message(
    ko="머리줄 '# {key}: …'이 없습니다. 맨 위에 적으십시오",
    en="the header line '# {key}: …' is missing: write it at the top",
)
WORLD = Message(
    ko="'# world: complete (까닭)'으로 적으십시오", en="write '# world: complete (why)'"
)
NO_MENTION = Message(
    ko="표현이 하나도 없습니다. 한 줄에 하나씩 적으십시오",
    en="the list holds no mention: write one a line",
)
EMPTY_PART = Message(
    ko="부품이 비어 있습니다. 한 줄에 하나씩 적으십시오",
    en="the part is empty: write an item a line",
)
COLUMNS = Message(
    ko="칸이 {found}개입니다. 다른 줄처럼 {wanted}개로 맞추십시오(탭으로 나눔)",
    en="{found} columns, not {wanted}",
)
EMPTY_COLUMN = Message(
    ko="칸이 비었거나 앞뒤에 빈칸이 있습니다", en="a column is empty or has spaces around it"
)

# --- rules ----------------------------------------------------------------------------------------

OTHER_LABEL = Message(
    ko="label은 '{label}'인데 파일 이름은 '{stem}'입니다. 하나를 고치십시오",
    en="the label is '{label}', but the file is called '{stem}'",
)
EMPTY_LIST = Message(ko="목록이 비어 있습니다. 하나라도 적으십시오", en="the list is empty")
UNUSED_PART = Message(
    ko="부품 '{name}'을(를) 쓰는 꼴(patterns)이 없습니다. 쓰거나 지우십시오",
    en="no pattern uses the part '{name}': use it, or take it out",
)
WEIGHT = Message(ko="weight는 1부터의 자연수입니다", en="a weight is a whole number from 1")
PART_EMPTY = Message(
    ko="부품 '{name}'이(가) 비어 있습니다. 하나라도 적으십시오", en="the part '{name}' is empty"
)
GIVEN_TWICE = Message(
    ko="'{text}'을(를) 두 번 적었습니다. 하나를 지우십시오",
    en="'{text}' is given twice: take one out",
)
UNKNOWN_PART_FILE = Message(
    ko="'{name}'의 부품 파일 '{written}'이(가) {root}에 없습니다",
    en="unknown part file '{written}' for '{name}': no such file in {root}",
)
NUMBERS = Message(
    ko="수는 0 이상에서 위로 갑니다. {first}부터 {last}까지는 안 됩니다",
    en="numbers run from 0 or more upwards, not {first} to {last}",
)
DIGITS = Message(
    ko="자릿수는 1부터 30까지입니다. {digits}은(는) 안 됩니다",
    en="a number has 1 to 30 digits, not {digits}",
)
BRACE = Message(
    ko="'{text}'의 중괄호가 짝이 맞지 않습니다", en="'{text}' has a brace without its partner"
)
UNKNOWN_PART = Message(
    ko="'{text}'에 없는 부품 '{name}'이(가) 있습니다. 있는 것: {known}",
    en="'{text}' names an unknown part '{name}'; known are {known}",
)
NO_COLUMN = Message(
    ko="'{text}'이(가) '{name}'의 {column}째 칸을 찾는데 칸은 {columns}개입니다",
    en="'{text}' asks for column {column} of '{name}', it has {columns}",
)

# --- what `lists check` finds ---------------------------------------------------------------------

NO_LIST = Message(
    ko="'{label}'의 목록이나 규칙이 없습니다. 이 파일을 만드십시오",
    en="there is no list or rule for '{label}': make this file",
)
NEITHER = Message(
    ko="'{suffix}'은(는) 목록(.txt)도 규칙(.yaml)도 아닙니다",
    en="'{suffix}' is neither .txt (a list) nor .yaml (a rule)",
)
RULE_TOO = Message(
    ko="'{name}'에는 규칙도 있습니다. 둘 가운데 하나만 두십시오",
    en="'{name}' has a rule as well: keep one of the two",
)
BELONGS = Message(
    ko="'{name}'의 목록은 {folder}에 두십시오", en="the list of '{name}' belongs to {folder}"
)
UNKNOWN_FOLDER = Message(ko="없는 폴더 '{name}'{near}", en="unknown folder '{name}'{near}")
UNKNOWN_LABEL = Message(ko="없는 라벨 '{name}'{near}", en="unknown label '{name}'{near}")
NEAR = Message(ko="; 비슷한 것: {names}", en="; near it are {names}")
SAID = Message(ko="대체어 {mentions}: {what}", en="{mentions} {what}")
MORE_MADE = Message(
    ko=" 등, 지은 {size}개 가운데 {number}개", en=" and {number} more of {size} made"
)
ONLY_NOUN = Message(
    ko="종류를 말하는 낱말일 뿐입니다. 지우거나 고유한 앞말로 바꾸십시오",
    en="is only the generic noun: take it out, or write what is distinctive before it",
)
PUBLIC_FIGURE = Message(
    ko="공인의 이름입니다. 지우십시오", en="is the full name of a public figure: take it out"
)
A_ROLE = Message(
    ko="당사자를 부르는 말이지 이름이 아닙니다. 지우십시오",
    en="is what a party is called, and no name: take it out",
)
MEANS_ELSE = Message(
    ko="판결문에서 {kind} 읽히는 말이라 이름이 될 수 없습니다. "
    "지우거나 앞뒤에 고유한 말을 붙이십시오(표: taxonomy/cues/no_names.tsv)",
    en="reads as {kind} in a judgment, and is no name: take it out, or add a word of its own "
    "(table: taxonomy/cues/no_names.tsv)",
)
KINDS_OF_WORDS = {
    "role": Message(ko="법률상 지위로", en="a role of the law"),
    "procedure": Message(ko="소송·절차의 말로", en="an act or thing of procedure"),
    "office": Message(ko="직위로", en="somebody's office"),
    "word": Message(ko="보통 낱말로", en="a plain word"),
}
APART = Message(
    ko="앞의 지명 아래에 뒤의 지명이 없습니다. 함께 있는 지명으로 바꾸거나, "
    "둘을 탭으로 나란히 적은 부품({{place}} {{place.2}})을 쓰십시오",
    en="names a place below one that it does not lie in: write places that belong together, "
    "or a part with both in columns ({{place}} {{place.2}})",
)
MARK_UP = Message(
    ko="표시 기호(<<< >>> 또는 {{ }})가 들어 있습니다. 지우십시오",
    en="holds mark-up (<<<, >>> or braces): take it out",
)
KEPT = Message(
    ko="기준에 따라 남기는 이름입니다({reason}). 지우십시오",
    en="stays readable by the court rule ({reason}): take it out",
)
TOO_FEW = Message(
    ko="표현이 {number}개인데 {least}개는 있어야 합니다. 더 없다면 "
    "'# world: complete (까닭)'이라고 적으십시오",
    en="{number} mentions, but a list has {least} or more; "
    "if there are no others, say so: '# world: complete (why)'",
)
TOO_FEW_MADE = Message(
    ko="규칙이 {number:,}개를 짓는데 {enough:,}개보다 많아야 합니다. "
    "적으면 목록(.txt)으로 쓰십시오",
    en="the rule makes {number:,} mentions, but more than {enough:,} are asked for; "
    "write fewer as a list (.txt)",
)
FEW_OWN = Message(
    ko="규칙에 직접 적은 낱말이 {number}개인데 {least}개는 있어야 합니다. "
    "이 업종다운 낱말을 더하거나, 없는 것이 맞다면 'shared: 까닭'이라고 적으십시오",
    en="the rule gives {number} words of its own, but {least} or more are asked for: add words "
    "that fit the label, or say why it needs none: 'shared: why'",
)
SHARED_ONLY = Message(
    ko="짓는 것의 {share:.0%}가 규칙에 직접 적은 낱말을 하나도 쓰지 않습니다({most:.0%}까지). 그런 "
    "낱말을 쓰는 꼴(patterns)의 weight를 올리거나, 맞다면 'shared: 까닭'이라고 적으십시오",
    en="{share:.0%} of what is made uses none of the rule's own words ({most:.0%} at most): raise "
    "the weights of patterns that do, or say why that is right: 'shared: why'",
)
NO_RECORD = Message(
    ko="{place}: 'label'과 'mentions'가 있는 JSON이 아닙니다",
    en="{place}: no JSON object of 'label' and 'mentions'",
)
WRONG_RECORD = Message(
    ko="{place}: 'label'이 글이 아니거나 'mentions'가 목록이 아닙니다",
    en="{place}: 'label' is no text, or 'mentions' no list",
)
UNKNOWN_PART_NAME = Message(
    ko="부분 '{part}'은(는) 없습니다. 있는 것: {known}",
    en="unknown part '{part}'; known are {known}",
)

NOT_WHOLE = Message(
    ko="온전한 표시가 아닙니다. <<<라벨>>>…<<</라벨>>> 꼴로 고치거나 지우십시오",
    en="is no whole mark",
)
OPEN_IS = Message(ko="; 열린 것은 {place}", en="; open is {place}")
PLACE = Message(ko="{line}:{column}의 {mark}", en="{mark} of {line}:{column}")
LINE = Message(ko="{number}행", en="line {number}")
BYTE = Message(
    ko="{place}: {byte}번째 바이트부터 UTF-8이 아닙니다. UTF-8로 저장하십시오",
    en="{place} is not UTF-8 at byte {byte}",
)
FILE_BYTE = Message(
    ko="{byte}번째 바이트부터 UTF-8이 아닙니다. UTF-8로 저장하십시오",
    en="not UTF-8 at byte {byte}",
)
NOT_JSON = Message(
    ko="{place}: {column}열에서 JSON이 아닙니다({why})",
    en="{place} is not JSON at column {column}: {why}",
)
TOO_DEEP = Message(ko="{place}: 너무 깊이 겹쳐 있습니다", en="{place} is nested too deeply")

# --- annotations ----------------------------------------------------------------------------------

ID_TWICE = Message(
    ko="같은 id가 {place}에 또 있습니다. 하나를 바꾸십시오",
    en="the id is used twice, again on {place}",
)
NO_OBJECT = Message(ko="{place}: JSON 객체가 아닙니다", en="{place} is not a JSON object")
NO_TEXT = Message(ko="{place}: '{key}'에 글이 없습니다", en="{place} has no text under '{key}'")
NO_LABEL = Message(ko="분류 체계에 없는 라벨입니다", en="is not a label of the taxonomy")
CLOSES_NOTHING = Message(ko="닫을 표시가 없습니다{inside}", en="closes nothing{inside}")
CROSSES = Message(ko="{place}과 엇갈립니다", en="crosses {place}")
MARKS_NOTHING = Message(ko="아무것도 싸지 않습니다", en="marks nothing")
NEVER_CLOSED = Message(ko="닫히지 않았습니다", en="is never closed")
OPENS_INSIDE = Message(ko="{place} 안에서 열립니다", en="opens inside {place}")

# --- two annotators -------------------------------------------------------------------------------

IN_ONE_SET = Message(
    ko="한쪽에만 있는 문서가 {number}건입니다: {names}. 같은 문서로 맞추십시오",
    en="{number} documents are in one set only: {names}",
)
OTHER_TEXT = Message(
    ko="id는 같은데 본문이 다릅니다: {names}. 같은 본문에 표시하십시오",
    en="another text under the same id: {names}",
)
NO_TABLE_OF_DIFFERENCES = Message(
    ko="{place}: 다른 곳의 표가 아닙니다(첫 줄이 칸 이름이 아님). 'agree --differences'가 쓴 "
    "파일을 주십시오",
    en="{place}: no table of differences: its first line is not its columns",
)
COLUMNS_OF_ROW = Message(
    ko="{place}: 칸이 {found}개입니다. {wanted}개로 맞추십시오(탭으로 나눔)",
    en="{place}: {found} columns, not {wanted}",
)
AT_CHARACTER = Message(
    ko="{id}, {start}번째 글자부터: {why}", en="{id}, from character {start}: {why}"
)
DECISIONS_OVERLAP = Message(
    ko="{id}: 정한 자리가 서로 겹칩니다: {why}", en="{id}: decisions that overlap: {why}"
)
MORE_PROBLEMS = Message(ko="… 그 밖에 {number}건", en="… and {number} more")
UNDECIDED = Message(
    ko="정하지 않았습니다 (1, 2, 0 또는 라벨을 적으십시오)",
    en="not decided (1, 2, 0, or a label)",
)
NO_DECISION = Message(
    ko="'{decision}'은(는) 1, 2, 0도 라벨도 아닙니다",
    en="'{decision}' is neither 1, 2, 0 nor a label",
)

# --- lists from elsewhere -------------------------------------------------------------------------

FOLDER_THERE = Message(
    ko="{folder}: 이미 있습니다. 다른 폴더를 주십시오. 아무것도 바꾸지 않았습니다",
    en="{folder}: already there; give another folder",
)
IMPORTED = Message(
    ko="{folder}: 라벨 {labels:,}개에 대체어 {mentions:,}개를 넣었습니다.",
    en="{folder}: {mentions:,} mentions put under {labels:,} labels.",
)
MENTIONS_LEFT_OUT = Message(
    ko="  뺀 대체어 {number:,}개: {reason}", en="  {number:,} mentions left out: {reason}"
)
NOT_LABELS = Message(
    ko="  라벨이 아닌 이름: {names}{more}", en="  names of no label: {names}{more}"
)
AND_MORE = Message(ko=" 외 {number:,}개", en=" and {number:,} more")
LEFT_BLANK = Message(ko="빈 것", en="blank")
LEFT_COMMENT = Message(ko="#으로 시작해 설명 줄이 되는 것", en="begins with #, as a comment does")
LEFT_INVISIBLE = Message(ko="보이지 않는 문자가 있는 것", en="holds an invisible character")
LEFT_TWICE = Message(ko="두 번 있는 것", en="stands there twice")

# --- data sets ------------------------------------------------------------------------------------

LONGEST_DOCUMENT = Message(
    ko="--longest: 가장 긴 문서는 1자에서 {most:,}자까지입니다",
    en="the longest document has 1 to {most:,} characters",
)
NOT_ANNOTATED = Message(
    ko="{path}: 주석 판결 파일로 읽을 수 없습니다. 읽는 것: {known}",
    en="{path}: cannot be read as annotated judgments; known are {known}",
)
CUT_SHORT = Message(
    ko="{path}: 파일이 상했거나 끝이 잘렸습니다({why}). 다시 받으십시오",
    en="{path}: damaged or cut short: {why}; fetch it again",
)
NAMES_OF = Message(
    ko="--names: 'release' 또는 'taxonomy'이며, '{names}'은(는) 없습니다",
    en="names are 'release' or 'taxonomy', not '{names}'",
)
NO_FILE_GIVEN = Message(
    ko="주석 판결 파일이 없습니다. 하나라도 주십시오", en="no annotated file was given"
)
UNKNOWN_VALUE = Message(
    ko="{name}: '{value}'은(는) 없는 값입니다. 있는 것: {known}",
    en="unknown {name} '{value}'; known are {known}",
)
NO_SPLITS = Message(
    ko="{path}: 데이터셋의 splits.tsv가 아니거나 끝이 잘렸습니다",
    en="{path}: no splits.tsv of a dataset, or cut short",
)
SPLITS_LINE = Message(
    ko="{place}: {header} 꼴이고 부분이 {parts} 가운데 하나인 줄이어야 합니다",
    en="{place}: expected {header} with a part of {parts}",
)
TABLE_NAME = Message(
    ko="{path}: .csv나 .parquet로 끝나는 이름을 주십시오",
    en="{path}: give a name that ends in .csv or .parquet",
)
ONE_FOLDER = Message(
    ko="데이터셋 폴더 하나나 주석 판결 파일들을 주십시오",
    en="give one dataset's folder, or files of annotated judgments",
)
NO_PLOTS = Message(
    ko="{why} (그림 없이: --no-plots)",
    en="{why} (or --no-plots)",
)

# --- how alike texts are --------------------------------------------------------------------------

TWO_DOCUMENTS = Message(
    ko="다양성은 낱말이 있는 문서가 두 건은 있어야 잽니다",
    en="diversity needs at least two documents with words",
)
NO_WORDS = Message(
    ko="낱말이 없는 말뭉치와는 견줄 수 없습니다", en="a corpus without words has no divergence"
)
THRESHOLD = Message(
    ko="닮은 문서의 문턱은 0.3에서 1까지이며, {threshold}은(는) 아닙니다",
    en="the threshold of near duplicates is 0.3 to 1, not {threshold}",
)

# --- annotation placeholders --------------------------------------------------------------------

NO_WHOLE_XZ = Message(
    ko="{path}: 온전한 xz 파일이 아닙니다({why}). 다시 받으십시오",
    en="{path}: no whole xz file ({why}); fetch it again",
)
NOT_UTF8_AT = Message(
    ko="{place}: {byte}번째 바이트가 UTF-8이 아닙니다. UTF-8로 저장하십시오",
    en="{place}: not UTF-8 at byte {byte}; save it as UTF-8",
)
NO_JSON_LINE = Message(
    ko="{place}: JSON이 아닙니다. 한 줄에 객체 하나를 적으십시오",
    en="{place}: no JSON; write one object a line",
)
NO_JSON_LINE_AT = Message(
    ko="{place}: {column}번째 글자에서 JSON이 아닙니다. 한 줄에 객체 하나를 적으십시오",
    en="{place}: no JSON at column {column}; write one object a line",
)
NO_JUDGMENT = Message(
    ko="{place}: 글 'id'와 'text'가 든 JSON 객체가 아닙니다. 둘 다 적으십시오",
    en="{place}: no JSON object with the texts 'id' and 'text': write both",
)
EMPTY_JUDGMENT = Message(
    ko="{id}: 판결이 비어 있어 가린 곳도 없습니다",
    en="{id}: an empty judgment has no placeholders",
)
READER_ENDED = Message(
    ko="{id}: 읽던 프로세스가 끝났습니다({why}). --workers를 줄여 다시 하십시오",
    en="{id}: the process that read it ended ({why}): try fewer --workers",
)
