"""What ``thunder deid`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

# --- help -----------------------------------------------------------------------------------------

PATHS = Message(
    ko="파일과 폴더: {formats}. -를 주거나 아무것도 주지 않으면 표준 입력을 읽습니다.",
    en="Files and folders: {formats}; - or nothing reads standard input.",
)
OUT = Message(
    ko="파일 하나면 파일, 여럿이면 폴더. 없으면 표준 출력.",
    en="A file for one file, a folder for more; else stdout.",
)
FORMAT = Message(
    ko="이름을 준 파일과 표준 입력의 형식: {formats}.",
    en="Format of files given by name and of stdin: {formats}.",
)
TEXT_COLUMN = Message(
    ko="본문의 키나 열. 다른 열은 그대로 넘깁니다.",
    en="Key or column of the text. The others are passed on as they are.",
)
ID_COLUMN = Message(ko="문서 id의 키나 열.", en="Key or column of the document's id.")
FILE_COLUMN = Message(
    ko="표의 이 열이 파일을 가리킵니다(표가 있는 폴더부터). 그 파일마다 비실명 처리하여 -o 아래 "
    "같은 "
    "경로에 씁니다. 표 자체는 쓰지 않습니다.",
    en="Tables name files here, from their own folder on: each of those is de-identified, under "
    "its path in -o. The table itself is not written.",
)
PROFILE = Message(ko="무엇을 남길지: court, strict …", en="What stays readable: court, strict …")
MODEL = Message(
    ko="규칙과 함께 쓸 모델: 들어 있는 것의 이름이나 폴더(ONNX, 또는 torch와 GPU). none: 규칙만 "
    "쓰며, 많은 이름이 "
    "남습니다.",
    en="The tagger asked besides the rules: a shipped one, or a folder (ONNX, or torch on a GPU if "
    "there is one). none: the rules alone, which miss many names.",
)
RECALL = Message(
    ko="모델이 개발용 문서에서 찾아야 하는 표현의 비율. 높이면 덜 놓치는 대신 가리지 않아도 될 "
    "말을 더 가리고, 낮추면 "
    "눈으로 볼 곳이 늘어납니다. 그 문서에서 얼마나 찾았는지는 시작하기 전에 알립니다.",
    en="Share of mentions the tagger must find on its development documents. Higher misses less "
    "and masks more words without need; lower leaves more to read by eye. What it reached there "
    "is said before the work.",
)
RECALL_DEFAULT = Message(ko="모델에 정해진 값", en="the tagger's own")
TAXONOMY = Message(
    ko="자체 분류 체계 폴더(라벨, 기준, 단서, 문형). 없는 파일은 들어 있는 것을 씁니다. "
    "thunder taxonomy init이 만듭니다.",
    en="A taxonomy of your own: labels, policy, cues, patterns; files it lacks are the shipped. "
    "thunder taxonomy init makes one.",
)
UNLEARNT = Message(
    ko="모델이 배우지 않은 라벨 {number}개는 문형과 규칙으로만 찾습니다: {names}",
    en="Labels the tagger has not learnt, {number}, are found by patterns and rules alone: {names}",
)
PARTICLES = Message(
    ko="은/는, 이/가 등을 글자에 맞추거나, 법원처럼 그대로 둡니다.",
    en="Fit 은/는, 이/가 … to the letters, or leave them as courts do.",
)
AUDIT = Message(
    ko="어디에서 무엇을 바꾸었는지 여기에 적습니다. 원래 말은 적지 않습니다(JSONL).",
    en="Write here what was changed where, without any original word (JSONL).",
)
MAPPING = Message(
    ko="원래 말을 여기에 적습니다. 본인만 읽을 수 있습니다(JSONL). 잠가 두십시오.",
    en="Write the originals here, readable by you alone (JSONL). Lock it away.",
)
REPORT = Message(
    ko="파일마다 어느 부분을 없애고 고치고 남겼는지 여기에 적습니다(문서 정보, 미리보기, 메모, "
    "그림 …). 부분의 이름이 그대로 있으므로 본인만 보십시오(Markdown).",
    en="Write here which parts of each file were dropped, cleaned and kept (metadata, previews, "
    "pictures …). It names them as they are called: for you alone (Markdown).",
)
HTML = Message(
    ko="눈으로 살펴볼 페이지를 씁니다. 원래 말이 보이므로 본인만 보십시오.",
    en="Write a page to check by eye. It shows the originals: for you alone.",
)
NAMES = Message(
    ko="확실한 이름을 한 줄에 하나씩: 표현(여러 꼴은 |로 나눔), 탭 뒤에 라벨과 글자가 있으면 "
    "적습니다. 어디에 있든 "
    "가립니다.",
    en="Certain names, a line each: the wording (forms parted by |), then after tabs its label and "
    "its letter, if any. They are masked wherever they stand.",
)
KEEP = Message(
    ko="남길 표현을 한 줄에 하나씩. 무엇보다 앞섭니다.",
    en="Wordings that stay readable, a line each. Nothing overrides them.",
)
CASE = Message(
    ko="한 폴더의 모든 파일이 한 사건입니다. 한 사람은 모든 파일에서 같은 글자로 나옵니다. 사건 "
    "전체를 메모리에 둡니다.",
    en="All files of one folder are one case: a person has one letter in all of them. A case is "
    "held in memory whole.",
)
OCR = Message(
    ko="PDF의 스캔한 쪽을 읽습니다(Tesseract 한국어). 없으면 그런 쪽은 받지 않습니다.",
    en="Read scanned pages of PDFs (Tesseract with Korean); without it they are refused.",
)
CHECKS = Message(
    ko="공개하기 전에 사람이 정할 곳을 찾아 알립니다(셈할 수 있는 생년월일, 가렸다 남긴 말, 한 "
    "글자로 나온 두 당사자 …). 있으면 1로 끝냅니다.",
    en="Find and say what a person has to answer before release: a birth date by arithmetic, a "
    "wording masked and open, one letter for two parties … Any ends the run with 1.",
)
WORKERS = Message(ko="문서를 나누어 맡을 프로세스 수.", en="Processes that share the documents.")
MAX_CHARACTERS = Message(ko="이보다 긴 문서는 처리하지 않습니다.", en="A longer document fails.")
FORCE = Message(
    ko="있는 결과를 덮어씁니다. 대응표는 덮어쓰지 않습니다.",
    en="Replace outputs that exist; never a mapping.",
)
ALLOW = Message(
    ko="다음이 있어도 0으로 끝냅니다. residue: 가린 말이 본문 밖에도 있음; skipped: 읽지 않는 "
    "형식의 파일이 있음; checks: --checks로 찾은 "
    "것이 있음. 그래도 알리기는 합니다. 여러 번 줄 수 있습니다.",
    en="End with 0 in spite of: residue, what was masked stands beside the text, too; skipped, "
    "files of a kind that is not read; checks, what --checks found. All are said all the same. "
    "Repeatable.",
)
QUIET = Message(
    ko="진행 표시와 요약 없이, 손볼 것만 알립니다.",
    en="No progress, no summary: only what needs you.",
)
NO_PROGRESS = Message(ko="진행 표시 없이.", en="No progress bar.")

# --- wrong usage ----------------------------------------------------------------------------------

NO_INPUT = Message(
    ko="파일이나 폴더를 주거나 글을 파이프로 넣으십시오. --help를 보십시오",
    en="give files or folders, or pipe a text in; see --help",
)
RECALL_ALONE = Message(
    ko="--recall은 모델에 대한 것입니다. --model none과는 함께 쓰지 않습니다",
    en="--recall is a tagger's: leave it out with --model none",
)
WORKERS_OF_TORCH = Message(
    ko="--workers {workers}는 ONNX 모델에만 쓸 수 있습니다. '{model}'은 torch로 돌며, 한 "
    "프로세스가 모든 코어나 GPU를 "
    "씁니다. --workers를 빼십시오",
    en="--workers {workers} goes with an ONNX export; '{model}' runs in torch, which uses all "
    "cores, or the GPU, from one process: leave --workers out",
)
OTHER_MODEL = Message(
    ko=" (--model에 다른 폴더를 주거나, none으로 규칙만 쓰십시오)",
    en=" (--model FOLDER takes another; none: the rules alone)",
)
UNKNOWN_FORMAT = Message(
    ko="모르는 형식입니다: {format!r}. 아는 형식: {formats}",
    en="unknown format {format!r}; known: {formats}",
)
STDIN_ALONE = Message(
    ko="-(표준 입력)는 다른 경로와 함께 쓸 수 없습니다",
    en="- (standard input) goes with no other path",
)
STDIN_CLOSED = Message(
    ko="표준 입력이 닫혀 있습니다. 파일이나 폴더를 주십시오",
    en="standard input is closed: give files or folders",
)
STDOUT_CLOSED = Message(
    ko="표준 출력이 닫혀 있습니다. -o에 파일을 주십시오",
    en="standard output is closed: give -o FILE",
)
NO_SUCH_FILE = Message(
    ko="그런 파일이나 폴더가 없습니다: {names}", en="no such file or folder: {names}"
)
COLUMN_NAMES_NONE = Message(
    ko="'{column}' 열에 파일 이름이 없습니다", en="column '{column}' names no file"
)
NOTHING_TO_READ = Message(ko="읽을 것이 없습니다: {names}", en="nothing to read in {names}")
PASSED_OVER = Message(
    ko=". 건너뛴 것: {passed}. 이름을 준 파일은 --format으로 읽을 수 있습니다",
    en="; passed over: {passed}; --format reads a file given by name",
)
TO_TERMINAL = Message(
    ko="글자가 아닌 파일은 화면에 쓰지 않습니다. -o에 파일을 주십시오",
    en="binary files do not go to a terminal: give -o FILE",
)

# --- the run --------------------------------------------------------------------------------------

INTERRUPTED = Message(
    ko="중단했습니다. 다 끝난 파일만 남겼습니다.", en="Interrupted. Only whole files were left."
)
MODEL_IS = Message(ko="모델 {name}: {promise}", en="Tagger {name}: {promise}")
NON_COMMERCIAL = Message(
    ko="이 모델의 라이선스는 {licence}이며 상업적으로 쓸 수 없습니다. --model {free}에는 "
    "그런 제한이 없습니다(thunder licences).",
    en="Its licence, {licence}, forbids commercial use; --model {free} is free of that "
    "(thunder licences).",
)
NO_PROMISE = Message(
    ko="기준값을 무엇에 맞추었는지 적혀 있지 않습니다.",
    en="it is not written what its thresholds are for.",
)
PROMISE = Message(
    ko="재현율 {recall:g}에 맞춘 기준값입니다. 개발용 문서에서 가릴 곳의 {whole:.1%}를 온전히 "
    "가렸고, 가린 글자의 "
    "{precision:.1%}가 가릴 글자였습니다.",
    en="its thresholds are for a recall of {recall:g}. On development documents it masked "
    "{whole:.1%} of the mentions whole, and {precision:.1%} of the characters it masked were to be "
    "masked.",
)
FALLS_SHORT = Message(
    ko=" 이 모델로는 맞춘 재현율에 못 미칩니다.", en=" It falls short of that recall."
)
MAY_MISS = Message(ko=" 못 찾은 곳이 남을 수 있습니다.", en=" Some mentions may be left.")
DOCUMENTS_SO_FAR = Message(ko="문서 {done:,}건", en="{done:,} documents")
DONE = Message(
    ko="판결서 {documents:,}건 중 {done:,}건을 비실명 처리했습니다.",
    en="{done:,} of {documents:,} judgments were de-identified.",
)
FAILED = Message(
    ko=" {failed:,}건은 처리하지 못해 결과에 넣지 않았습니다.",
    en=" {failed:,} failed and were held back.",
)
DOUBTS = Message(
    ko=" 살펴볼 곳이 {doubts:,}곳 있습니다.", en=" {doubts:,} places are to be looked at."
)
ROW_DOCUMENTS = Message(ko="문서", en="documents")
ROW_CHARACTERS = Message(ko="읽은 글자", en="characters read")
ROW_MASKED = Message(ko="가린 곳", en="masked")
ROW_KEPT = Message(ko="남긴 곳", en="kept")
ROW_DOUBTS = Message(ko="살펴볼 곳", en="to be looked at")
ROW_FAILED = Message(ko="실패한 문서", en="failed documents")

RESUME = Message(
    ko="이어 합니다: 끝난 문서는 두고, 더해지거나 바뀐 문서만 합니다. 표는 통째로 다시 합니다.",
    en="Go on: what is done stays, what was added or changed is done. A table is done as a whole.",
)
RESUME_ALONE = Message(
    ko="--resume과 함께 쓸 수 없습니다: {names}", en="not together with --resume: {names}"
)
RESUME_FOLDER = Message(
    ko="--resume에는 -o FOLDER와 파일이나 폴더를 주십시오",
    en="--resume needs -o FOLDER, and files or folders",
)
RESUME_OTHER = Message(
    ko="{folder}: 그때와 다르게 물었습니다({what}): 같은 옵션으로 잇거나 다른 폴더를 -o로 주십시오",
    en="{folder}: asked otherwise than then ({what}): the same options, or another folder by -o",
)
