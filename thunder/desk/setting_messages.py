"""What is refused at the desk: accounts, sign-on and tables, with the cure; Korean and English."""

from thunder.settings.messages import Message

# --- accounts -------------------------------------------------------------------------------------
NO_PASSWORD_HERE = Message(
    ko="법원 통합 로그인을 쓰는 계정이라 여기에는 비밀번호가 없습니다",
    en="who signs on by the court has no password here",
)
PASSWORD = Message(
    ko="비밀번호는 {least}자 이상 {most}자 이하로 정하십시오",
    en="a password has {least} to {most} characters",
)
NAME = Message(
    ko="이름은 보이는 글자로 1자 이상 {most}자 이하로 쓰십시오",
    en="a name has 1 to {most} printable characters",
)
NAME_TAKEN = Message(
    ko="이 이름을 쓰는 사람이 있거나 있었습니다. 다른 이름을 쓰십시오",
    en="there is, or was, somebody of this name already",
)

# --- tables of released results -------------------------------------------------------------------
KINDS_OF_TABLES = Message(
    ko="{place}: 표는 {kinds} 파일이나 데이터베이스 주소(URL)여야 합니다",
    en="{place}: a table is a {kinds} file or a database's URL",
)
NO_TABLE = Message(
    ko="{path}: 공개한 결과의 표가 아닙니다",
    en="{path}: this is no table of released results",
)

# --- sign-on --------------------------------------------------------------------------------------
OPEN_SECRETS = Message(
    ko="{path}: 다른 사람도 비밀 값을 읽을 수 있습니다. 막으십시오: chmod 600 {path}",
    en="{path}: others can read its secrets: chmod 600 {path}",
)
MISSING = Message(ko="{key}이(가) 없습니다", en="{key} is missing")
ONE_WAY = Message(
    ko="[oidc]와 [proxy] 가운데 하나만 쓰십시오",
    en="it needs either [oidc] or [proxy]",
)
TOGETHER = Message(ko="{one}와(과) [{other}]는 함께 쓰십시오", en="{one} and [{other}] go together")
EMPTY = Message(ko="{key}이(가) 비었습니다", en="{key} is empty")
SECRET = Message(
    ko="proxy.secret은 {least}자 이상이어야 합니다",
    en="proxy.secret has {least} characters or more",
)
OWN_ADDRESSES = Message(
    ko="proxy.addresses에는 모든 주소가 아니라 프록시의 주소를 쓰십시오",
    en="proxy.addresses names the proxy's own, not everybody's",
)
NO_SETTING = Message(ko="{key}(이)라는 설정은 없습니다", en="{key} is no setting")
SAFE_ADDRESS = Message(ko="{key}에는 https:// 주소를 쓰십시오", en="{key} is an https:// address")
ADMINISTRATORS = Message(
    ko="관리자는 검토 화면에서 관리자가 정합니다",
    en="administrators are made by administrators, at the desk",
)
