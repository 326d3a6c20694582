"""What is said of a bundle that is made, in Korean and in English."""

from thunder.settings.messages import Message

UNKNOWN = Message(
    ko="{what} {name!r}: 모르는 값입니다. 쓸 수 있는 것: {known}",
    en="unknown {what} {name!r}; known: {known}",
)
UNKNOWN_EXTRA = Message(
    ko="모르는 추가 기능: {name}; 쓸 수 있는 것: {known}",
    en="unknown extra: {name}; known: {known}",
)
THERE_ALREADY = Message(
    ko="{path}: 이미 있습니다. 다른 이름을 주거나 지우십시오",
    en="{path} is there already: name another file, or remove it",
)
NO_FOLDER = Message(ko="{path}: 그런 폴더가 없습니다", en="there is no folder {path}")
NO_KEY = Message(
    ko="{path}: 그런 키가 없습니다. ssh-keygen -t ed25519 -f {path} 로 만드십시오",
    en="there is no key {path}: ssh-keygen -t ed25519 -f {path} makes one",
)
NO_WHEELS = Message(
    ko="Python {python}, {platform}에 맞는 휠이 없는 패키지가 있습니다",
    en="for Python {python} on {platform} not every package has a wheel",
)
NO_WHEEL = Message(ko="{name}: 맞는 휠이 없습니다", en="there is no wheel of {name} that fits")
NOT_A_WHEEL = Message(ko="{path}: 휠이 아닙니다: {why}", en="{path}: not a wheel: {why}")
PIP_FAILED = Message(ko="pip이 실패했습니다", en="pip failed")
NO_INDEX_PAGE = Message(
    ko="{path}: index.html이 없습니다. HTML로 만든 문서의 폴더를 주십시오",
    en="{path} holds no index.html: give the folder of the built pages",
)
NO_DOCS = Message(
    ko="여기서 만들 문서가 없습니다. --docs FOLDER로 HTML 문서를 주십시오",
    en="no docs to build here: give --docs FOLDER, the pages as HTML",
)
DOCS_FAILED = Message(
    ko="문서를 만들지 못했습니다: {why} (pip install 'thunder-deid[docs]' 또는 --docs)",
    en="the docs were not built: {why} (pip install 'thunder-deid[docs]', or --docs)",
)
NEEDS_KEYGEN = Message(
    ko="서명하려면 ssh-keygen(OpenSSH 8.2 이상)이 있어야 합니다",
    en="to sign needs ssh-keygen (OpenSSH 8.2 or later)",
)
NOT_SIGNED = Message(ko="{key}(으)로 서명하지 못했습니다: {why}", en="{key} does not sign: {why}")
