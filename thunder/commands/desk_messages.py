"""What ``thunder serve`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

FOLDER = Message(
    ko="데이터베이스와 공개 결과를 두는 폴더. 없으면 만들고, 소유자만 읽습니다.",
    en="Folder of the database and of what is released; made where it is not there, mode 0700.",
)
DATABASE = Message(
    ko="postgresql://…: 폴더의 SQLite 대신 쓸 데이터베이스.",
    en="postgresql://…: a database instead of the folder's SQLite.",
)
KEY = Message(
    ko="원문을 암호화할 키 파일(16진수 64자, 소유자만 읽음). 없으면 암호화하지 않습니다.",
    en="File of the key that seals originals (64 hexadecimal digits, mode 0600); without, none.",
)
HOST = Message(
    ko="연결을 받을 주소. 이 컴퓨터 밖에서 쓰려면 앞에 TLS 프록시를 두십시오.",
    en="Address to listen on. Put a proxy with TLS in front for anybody beyond this machine.",
)
PORT = Message(ko="연결을 받을 포트.", en="Port to listen on.")
NAMES = Message(
    ko="브라우저나 프로그램이 부르는 이 서버의 이름(여러 번 쓸 수 있음).",
    en="Name by which browsers and programs call this server (may be given more than once).",
)
WORKERS = Message(ko="비실명 처리하는 프로세스 수.", en="Processes that de-identify.")
MODEL = Message(ko="규칙과 함께 쓸 모델.", en="The tagger asked besides the rules.")
MOST_CHARACTERS = Message(ko="한 문서의 글자 수 한도.", en="Characters that a document may have.")
REQUESTS = Message(
    ko="토큰 하나가 1분에 보낼 수 있는 요청 수.", en="Requests a minute that a token may send."
)
NEW_TOKEN = Message(
    ko="이 이름의 프로그램에 줄 토큰을 만들어 보이고 끝냅니다.",
    en="Make and show a token for the program of this name, and end.",
)
REVOKE_TOKEN = Message(
    ko="이 이름의 토큰을 없애고 끝냅니다.", en="Take the token of this name out, and end."
)
TOKEN = Message(
    ko="{name}의 토큰: {token}\n다시 보여 주지 않으니 지금 옮겨 적으십시오. "
    "요청마다 Authorization: Bearer 뒤에 붙입니다.",
    en="Token of {name}: {token}\nIt is not shown again: keep it now. "
    "Requests bring it as Authorization: Bearer TOKEN.",
)
REVOKED = Message(ko="{name}의 토큰을 없앴습니다.", en="The token of {name} is no more.")
NO_TOKEN = Message(ko="{name}: 그런 토큰이 없습니다.", en="{name}: there is no such token.")
NO_TOKENS = Message(
    ko="아직 토큰이 없어 아무도 쓸 수 없습니다: thunder serve --new-token 이름",
    en="There is no token yet, so nobody can ask: thunder serve --new-token NAME",
)
LISTENING = Message(
    ko="{address} 에서 받습니다. 설명: {address}/openapi.json · 끝내기: Ctrl-C",
    en="Listening at {address} · description: {address}/openapi.json · end: Ctrl-C",
)
BEYOND = Message(
    ko="주의: {host}(으)로 이 컴퓨터 밖에서도 연결됩니다. 앞에 TLS 프록시가 있어야 합니다.",
    en="Careful: {host} can be reached from beyond this machine. A proxy with TLS has to be there.",
)
NOT_OPENED = Message(ko="열 수 없습니다: {why}", en="It cannot be opened: {why}")
TAKEN = Message(
    ko="{address} 을(를) 이미 다른 프로그램이 쓰고 있습니다: --port로 다른 포트를 주십시오.",
    en="{address} is taken by another program: give another --port.",
)

# --- thunder desk ---------------------------------------------------------------------------------

SIGN_ON = Message(
    ko="법원 통합 로그인(OIDC 또는 프록시 헤더)의 설정 파일(TOML, 소유자만 읽음).",
    en="Settings of the court's sign-on, by OIDC or a proxy's header (TOML, mode 0600).",
)
TABLE = Message(
    ko="공개 결과를 표에도 씁니다: .jsonl, .csv, .parquet 파일이나 SQLAlchemy 주소.",
    en="Write released results into a table, too: a .jsonl, .csv or .parquet, or SQLAlchemy's URL.",
)
OTHER_PROFILE = Message(
    ko="공개할 때와 다른 프로필로 견줍니다.",
    en="Compare under another profile than it was released by.",
)
TAXONOMY = Message(ko="쓸 분류 체계 폴더.", en="A taxonomy folder of your own.")
MOST = Message(ko="이만큼만 견줍니다(0: 모두).", en="Compare only so many (0: all).")
WHY = {
    "file": Message(
        ko="공개 파일이 없거나 바뀌어 견줄 수 없음", en="its file is missing or changed"
    ),
    "decisions": Message(
        ko="사람의 결정이 지금 찾는 것과 어긋남", en="decisions contradict what is found now"
    ),
}
COMPARED = Message(
    ko="공개한 {released:,}건 가운데 {done:,}건을 견주었습니다: {other:,}건이 달라지고, "
    "{unknown:,}건은 견줄 수 없습니다. 원본을 지웠거나 견주지 않은 것 {rest:,}건.",
    en="{done:,} of {released:,} released documents were compared: {other:,} would change, "
    "{unknown:,} cannot be told. Original deleted, or not compared: {rest:,}.",
)
WHOSE = Message(ko="계정 이름.", en="The account's name.")
NOBODY = Message(ko="{name}: 그런 계정이 없습니다.", en="{name}: there is no such account.")
SIGNS_ON = Message(
    ko="{name}: 법원 통합 로그인 계정이라 비밀번호가 없습니다.",
    en="{name}: signs on by the court and has no password here.",
)
NEW_PASSWORD = Message(
    ko="{name}의 새 비밀번호: {password}\n다시 보여 주지 않습니다. 들어가서 바꾸십시오.",
    en="New password of {name}: {password}\nIt is not shown again: sign in and change it.",
)
RETAIN = Message(
    ko="마지막으로 다룬 지 이만큼(일) 지난 문서의 원본을 지웁니다. 0이면 두어 둡니다.",
    en="Days after its last step when an original is deleted that nobody works on (0: never).",
)
WATCH = Message(
    ko="이 폴더에 들어오는 파일을 저절로 넣습니다(다 쓰인 뒤에, 한 번씩).",
    en="Import what is put into this folder, once each, when it is wholly written.",
)
WATCH_PROFILE = Message(
    ko="감시 폴더의 문서에 쓸 프로필.", en="The profile of what comes by the watched folder."
)
NO_FOLDER = Message(ko="{name}: 그런 폴더가 없습니다.", en="{name}: there is no such folder.")
ONE_PERSON = Message(
    ko="검토한 사람이 스스로 확인하고 공개할 수 있습니다.",
    en="Who reviewed a document may confirm and release it, too.",
)
IS_TLS = Message(
    ko="브라우저가 TLS 프록시를 거쳐 옵니다(쿠키를 https에만 보냄).",
    en="Browsers come over TLS, by a proxy (cookies are sent over https alone).",
)
UNSEALED = Message(
    ko="원문을 암호화하지 않고 둡니다(파일은 소유자만 읽음). 암호화하려면 --key 파일.",
    en="Originals are not sealed (the file is its owner's alone); --key FILE seals them.",
)
FIRST = Message(
    ko="첫 관리자를 만들었습니다.\n  이름: {name}\n  비밀번호: {password}\n"
    "다시 보여 주지 않습니다. 들어가서 비밀번호를 바꾸고, 검토자와 확인자를 추가하십시오.",
    en="The first administrator was made.\n  name: {name}\n  password: {password}\n"
    "It is not shown again: sign in, change it, and add a reviewer and a confirmer.",
)
SETTINGS = Message(
    ko="읽는 길과 표본의 비율은 여기서 정합니다: {path}",
    en="Routes and the shares that are drawn are settled here: {path}",
)
AT = Message(
    ko="브라우저에서 여십시오: {address} · 끝내기: Ctrl-C",
    en="Open in a browser: {address} · end: Ctrl-C",
)
PATHS = Message(ko="넣을 파일과 폴더.", en="Files and folders to import.")
PROFILE = Message(ko="무엇을 남길지: court, strict …", en="What stays readable: court, strict …")
ADDED = Message(
    ko="{added:,}건을 넣었습니다. thunder desk가 돌고 있으면 곧 비실명 처리합니다.",
    en="{added:,} documents were added; a running thunder desk de-identifies them.",
)
NO_PROFILE = Message(
    ko="{name}: 그런 프로필이 없습니다({known}).", en="{name}: no such profile ({known})."
)
VERIFIED = Message(
    ko="감사 기록이 온전합니다: {lines:,}줄, 마지막 값 {digest}",
    en="The audit is whole: {lines:,} lines, last digest {digest}",
)
BROKEN = Message(ko="감사 기록이 온전하지 않습니다: {why}", en="The audit is not whole: {why}")
FILES_MISSING = Message(
    ko="공개한 문서의 파일이 없습니다: {ids}", en="files of released documents are missing: {ids}"
)
CUT_OFF = Message(
    ko="공개하다 멈춘 문서가 있습니다(thunder desk를 켜면 마무리하거나 되돌립니다): {ids}",
    en="releases were cut off; thunder desk, once started, finishes or undoes them: {ids}",
)
FILES_CHANGED = Message(
    ko="공개한 뒤에 파일이 바뀌었습니다: {ids}", en="files were changed after release: {ids}"
)
ARCHIVE = Message(
    ko="묶음 파일(zip). 덮어쓰지 않습니다.", en="The archive (zip); none is overwritten."
)
SAVED = Message(
    ko="문서 {documents:,}건과 감사 기록 {lines:,}줄을 담았습니다.",
    en="{documents:,} documents and {lines:,} lines of the audit were saved.",
)
RESTORED = Message(
    ko="문서 {documents:,}건을 되살렸습니다.", en="{documents:,} documents were restored."
)
NOT_RESTORED = Message(ko="되살리지 못했습니다: {why}", en="It was not restored: {why}")
ANNOTATED = Message(
    ko="공개한 판결서를 주석 달아 쓸 파일(JSONL). thunder dataset build가 읽습니다.",
    en="File for released judgments, annotated (JSONL), as thunder dataset build reads them.",
)
PROPOSALS = Message(
    ko="사람이 가리거나 남긴 말을 쓸 파일: 결정[탭]말[탭]분류[탭]문서 수.",
    en="File for wordings that people masked or opened: decision, wording, label, documents (TSV).",
)
TEACH = Message(
    ko="문맥 규칙(patterns), 채점 자료(gold.jsonl), 문턱값 집계를 쓸 새 폴더.",
    en="New folder for proposed contexts (patterns), gold.jsonl, and what thresholds would give.",
)
TAUGHT = Message(
    ko="{documents:,}건에서 문맥 규칙 {contexts:,}개를 제안합니다. 사람이 읽고 고른 뒤에 쓰십시오.",
    en="{contexts:,} contexts are proposed from {documents:,} documents. Read them before any use.",
)
NOTHING_ASKED = Message(
    ko="무엇을 쓸지 --annotated, --proposals, --teach로 주십시오.",
    en="Say what to write: --annotated FILE, --proposals FILE, --teach FOLDER.",
)
HAS_MARKS = Message(
    ko="{id}: 본문에 <<< 나 >>> 가 있어 주석을 달 수 없습니다.",
    en="{id}: its text holds <<< or >>>, and cannot be annotated.",
)
