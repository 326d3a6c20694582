"""What ``thunder lists`` and ``thunder annotation`` say, in Korean and in English."""

from thunder.settings.messages import Message

# --- both -----------------------------------------------------------------------------------------

UNCHANGED = Message(ko="바뀐 것이 없습니다.", en="Nothing was changed.")
NO_FILE = Message(ko="{place}: 파일이 없습니다", en="{place}: there is no such file")
NO_SUCH = Message(ko="{place}: 그런 파일이나 폴더가 없습니다", en="{place}: no such file or folder")
EXISTS = Message(
    ko="{place}: 이미 있습니다. 다른 이름을 주거나 --force로 덮어쓰십시오",
    en="{place}: exists already: give another name, or --force to write over it",
)
EXISTS_FOLDER = Message(
    ko="{place}: 이미 있습니다. 없거나 빈 폴더를 주십시오",
    en="{place}: exists already: give a folder that is not there, or empty",
)
IS_FOLDER = Message(
    ko="{place}: 폴더입니다. 파일 이름을 주십시오", en="{place}: is a folder: give a file's name"
)
IS_INPUT = Message(
    ko="{place}: 읽을 파일입니다. 다른 이름을 주십시오",
    en="{place}: is one of the files to read: give another name",
)
FOLDER_OR_INPUT = Message(
    ko="{place}: 폴더이거나 읽을 파일입니다. 다른 이름을 주십시오",
    en="{place}: is a folder or what is to be read: give another name",
)
CANNOT_BE_READ = Message(ko="{place}: 읽을 수 없습니다: {why}", en="{place}: cannot be read: {why}")

# --- lists ----------------------------------------------------------------------------------------

CHECKING = Message(
    ko="라벨 {labels:,}개의 목록을 모두 읽고, 규칙마다 수백 개씩 지어 봅니다. "
    "몇 초에서 1분쯤 걸립니다.",
    en="All lists of {labels:,} labels are read, and hundreds of mentions of each rule are made: "
    "some seconds, a minute at most.",
)
CHECK = Message(ko="대체 목록 점검", en="Checking lists")
TO_MEND = Message(
    ko="대체 목록에서 고칠 곳을 {number}건 찾았습니다.", en="{number} to be mended in the lists."
)
SHARED = Message(
    ko="겹치는 라벨 {pairs}쌍 가운데 {shown}쌍: 모두 보려면 --overlaps",
    en="{shown} of {pairs} pairs of labels that share mentions; --overlaps shows all",
)
IN_ORDER = Message(
    ko="라벨 {labels}개의 대체 목록에 이상이 없습니다.",
    en="The lists of {labels} labels are in order.",
)
NO_TEXT_FILE = Message(
    ko="{path}: 읽을 수 있는 UTF-8 글 파일이 아닙니다",
    en="{path} is no UTF-8 text file that can be read",
)
NOWHERE = Message(
    ko="어느 목록에도 없습니다. (파이썬으로 만드는 라벨은 찾지 않습니다.)",
    en="In no list. (Labels made in Python are not searched.)",
)
LABEL = Message(ko="라벨", en="label")
HELD_AS = Message(ko="어떻게", en="held as")
FILE = Message(ko="파일", en="file")
SHARE = Message(ko="겹침", en="shared")
EXAMPLES = Message(ko="보기", en="for example")
SIZES = tuple(
    Message(ko=ko, en=en)
    for ko, en in (
        ("라벨", "labels"),
        ("목록", "lists"),
        ("규칙", "rules"),
        ("표현", "mentions"),
        ("최소", "smallest"),
        ("중앙값", "median"),
    )
)
SUBCATEGORY = Message(ko="중분류", en="subcategory")
CATEGORY = Message(ko="소분류", en="category")
ALL = Message(ko="모두", en="all")

# --- annotation -----------------------------------------------------------------------------------

NO_ANNOTATED = Message(
    ko="{place}: 그런 파일이 없거나, .jsonl과 .txt가 없는 폴더입니다",
    en="{place}: no such file, or a folder without .jsonl and .txt",
)
BAD_DOCUMENTS = Message(
    ko="표시가 잘못되었거나 읽지 못한 문서가 {number}건 있습니다.",
    en="{number} documents have wrong marks or could not be read.",
)
CHECKED = tuple(
    Message(ko=ko, en=en)
    for ko, en in (
        ("문서", "documents"),
        ("표시", "spans"),
        ("라벨 없음", "without a label"),
        ("라벨 수", "labels"),
        ("잘못됨", "bad"),
    )
)
EXPORTED = Message(
    ko="{place}: 문서 {number}건을 내보냈습니다.", en="{place}: {number} documents exported."
)
NOT_EXPORTED = Message(
    ko="내보내지 못한 문서가 {number}건 있습니다.", en="{number} documents could not be exported."
)
LABELS_WRITTEN = Message(
    ko="{place}: 라벨 {number}개를 썼습니다.", en="{place}: {number} labels written."
)
IMPORTED = Message(
    ko="{place}: 문서 {documents}건, 표시 {spans}개를 읽었습니다.",
    en="{place}: {documents} documents with {spans} spans read.",
)
TO_LOOK_AT = Message(
    ko="살펴볼 문서가 {number}건 있고, 그중 {held}건은 쓰지 않았습니다.",
    en="{number} documents are to be looked at, {held} of them were not written.",
)
EMPTY_CONLL = Message(
    ko="표시가 하나도 없습니다. Label Studio의 CoNLL 내보내기는 나무(Taxonomy) 라벨을 빠뜨립니다. "
    "JSON으로 내보내 --from label-studio로 읽거나, export 때 --only로 라벨을 고르십시오.",
    en="There is no annotation at all. Label Studio's export as CoNLL leaves out the labels of a "
    "tree: export JSON and read it with --from label-studio, or choose labels with --only.",
)
SAME_NAMES = Message(
    ko="--output과 --report에 다른 이름을 주십시오", en="give --output and --report different names"
)
PLACEHOLDERS = Message(
    ko="{place}: 판결 {read:,}건 가운데 {kept:,}건, 표시 {spans:,}개를 썼습니다.",
    en="{place}: {kept:,} of {read:,} judgments written, {spans:,} marks.",
)
LEFT_OUT_FOR = Message(ko="뺀 까닭", en="left out for")
JUDGMENTS = Message(ko="판결", en="judgments")
FOR_THIS_ALONE = Message(ko="이것만으로", en="for this alone")
REASONS = {
    "longer than 2,000,000 characters": Message(
        ko="2,000,000자보다 김", en="longer than 2,000,000 characters"
    ),
    "company left": Message(ko="회사 이름이 남아 있음", en="company left"),
    "short name left": Message(ko="가린 회사의 줄임말이 남아 있음", en="short name left"),
    "person left": Message(ko="사람 이름이 남아 있음", en="person left"),
    "unsure label": Message(ko="라벨이 확실하지 않음", en="unsure label"),
    "no placeholder": Message(ko="가린 곳이 없음", en="no placeholder"),
    "id used before": Message(ko="앞에 나온 id", en="id used before"),
    "empty": Message(ko="빈 판결", en="empty"),
    "marks in the text": Message(ko="본문에 표시(<<<)가 있음", en="marks in the text"),
    "note of the publisher": Message(
        ko="판결집 편집자의 번호 설명이 남아 있음", en="note of the publisher"
    ),
    "range of persons": Message(ko="사람을 번호 범위로 적음 (1 내지 3)", en="range of persons"),
    "zeros for names": Message(ko="이름을 0으로 가림 (00건설)", en="zeros for names"),
    "omission unknown": Message(ko="무엇인지 모르는 생략", en="omission unknown"),
    "officer masked": Message(ko="법관·대리인이 가려져 있음", en="officer masked"),
}

# --- two annotators -------------------------------------------------------------------------------

VALUE = Message(ko="값", en="value")
DOCUMENTS = Message(ko="문서", en="documents")
MARKS = Message(ko="표시 (첫째, 둘째)", en="marks (first, second)")
SPAN_F1 = Message(ko="같은 자리·같은 라벨 F1", en="F1, same place and label")
PLACE_F1 = Message(ko="같은 자리 F1", en="F1, same place")
LABEL_KAPPA = Message(ko="같은 자리의 라벨 kappa", en="kappa of labels at the same place")
CHARACTER_KAPPA = Message(ko="가린 글자 kappa", en="kappa of marked characters")
DIFFERENT = Message(ko="다른 곳: {kind}", en="different: {kind}")
KINDS = {
    "label": Message(ko="라벨만 다름", en="the label alone"),
    "edges": Message(ko="자리가 어긋남", en="the edges"),
    "only 1": Message(ko="첫째만 표시", en="only the first marked it"),
    "only 2": Message(ko="둘째만 표시", en="only the second marked it"),
}
DIFFERENCES = Message(
    ko="{place}: 다른 곳 {number:,}건. decision 칸을 채웁니다.",
    en="{place}: {number:,} differences. Fill the column decision.",
)
ADJUDICATED = Message(
    ko="{place}: 문서 {documents:,}건, 표시 {marks:,}곳",
    en="{place}: {documents:,} documents, {marks:,} marks",
)
