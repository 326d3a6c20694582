"""What the pages of the desk say, in Korean and in English."""

import json
import time
from collections.abc import Mapping

from thunder.settings.messages import Message

TITLE = Message(ko="비실명 처리 검토", en="Review of de-identified judgments")
SIGN_IN = Message(ko="들어가기", en="Sign in")
SIGN_OUT = Message(ko="나가기", en="Sign out")
NAME = Message(ko="이름", en="Name")
PASSWORD = Message(ko="비밀번호", en="Password")
WRONG = Message(
    ko="이름이나 비밀번호가 맞지 않거나, 잠시 잠겼습니다.",
    en="Name or password is wrong, or locked for a while.",
)
TOO_OFTEN = Message(
    ko="너무 자주 시도했습니다. 잠시 뒤에 다시 하십시오.", en="Too many tries. Wait a little."
)
CHANGE_PASSWORD = Message(ko="비밀번호 바꾸기", en="Change password")
OLD_PASSWORD = Message(ko="지금 비밀번호", en="Password now")
NEW_PASSWORD = Message(ko="새 비밀번호(10자 이상)", en="New password (10 characters or more)")
BAD_PASSWORD = Message(
    ko="비밀번호는 10자에서 200자까지입니다.", en="A password has 10 to 200 characters."
)
BAD_USER = Message(
    ko="이름이 이미 있거나 있었거나, 이름이나 비밀번호가 맞지 않습니다(비밀번호 10자 이상).",
    en="The name is or was taken, or name or password do not fit (10 characters or more).",
)
SIGNS_ON = Message(ko="법원 통합 로그인", en="signs on by the court")
LOCAL = Message(ko="비밀번호", en="password")
HOW = Message(ko="들어오는 법", en="Comes by")
STANDING = Message(ko="계정", en="Account")
CHANGE = Message(ko="바꾸기", en="Change")
NEW_USER = Message(ko="사용자 추가", en="Add somebody")
PASSWORD_OR_NONE = Message(
    ko="비밀번호(10자 이상; 비우면 법원 통합 로그인으로만 들어옴)",
    en="Password (10 characters or more; left empty: signs on by the court alone)",
)
STANDINGS = {
    "active": Message(ko="사용", en="active"),
    "disabled": Message(ko="정지", en="disabled"),
    "removed": Message(ko="삭제", en="removed"),
}
STAND = {
    "active": Message(ko="다시 쓰게 하기", en="Enable"),
    "disabled": Message(ko="정지", en="Disable"),
    "removed": Message(ko="삭제(되돌릴 수 없음)", en="Remove (for good)"),
}
SIGN_ON = Message(ko="법원 통합 로그인으로 들어가기", en="Sign on by the court")
SIGNED_ON = Message(ko="들어왔습니다. 문서 목록으로 갑니다.", en="Signed on. On to the queue.")
NO_SIGN_ON = Message(
    ko="통합 로그인으로 들어올 수 없습니다. 이 계정에 역할이 없으면 관리자에게 말씀하십시오.",
    en="This sign-on is not accepted. If the account has no role here, ask an administrator.",
)
UNREACHABLE = Message(
    ko="법원 통합 로그인 서버가 답하지 않습니다. 잠시 뒤에 다시 하십시오.",
    en="The court's sign-on does not answer. Try again a little later.",
)
DONE = Message(ko="했습니다.", en="Done.")
BACK = Message(ko="목록으로", en="Back to the queue")
QUEUE = Message(ko="문서 목록", en="Queue")
USERS = Message(ko="사용자", en="Users")
AUDIT = Message(ko="감사 기록", en="Audit")
DOCUMENT = Message(ko="문서", en="Document")
STATE = Message(ko="상태", en="State")
RISK = Message(ko="정할 곳", en="To be answered")
CHARACTERS = Message(ko="글자", en="Characters")
HOLDER = Message(ko="맡은 사람", en="Held by")
REVIEW = Message(ko="검토", en="Review")
CONFIRM = Message(ko="확인", en="Confirm")
GO_ON = Message(ko="이어서", en="Go on")
REOPEN = Message(ko="다시 열기", en="Reopen")
NOTHING = Message(ko="문서가 없습니다.", en="No documents.")
IMPORT = Message(ko="문서 넣기", en="Import")
PROFILE = Message(ko="프로필", en="Profile")
IMPORTED = Message(ko="{added}건을 넣었습니다.", en="{added} documents were added.")
BEHIND = Message(
    ko="공개 결과의 표에 쓰지 못한 것이 있습니다. 쓸 수 있게 되면 저절로 씁니다.",
    en="The table of released results could not be written; it follows as soon as it can be.",
)
OTHERWISE = Message(ko="달라질 결과", en="Would change")
OTHERWISE_HOW = Message(
    ko="모델, 정책, 분류 체계가 바뀌면 달리 나올 공개 결과입니다. 마지막으로 견준 명령:",
    en="Released results that come out otherwise by today's model, policy, taxonomy. Found by:",
)
NOW_MASKED = Message(ko="새로 가릴 곳", en="newly masked")
NOW_OPENED = Message(ko="열릴 곳", en="opened")
RELETTERED = Message(ko="글자가 바뀔 곳", en="other letter")
ERASED = Message(ko="원본 지움", en="original deleted")
FIND_DOCUMENT = Message(ko="사건번호나 제목", en="Case number or title")
SEARCH = Message(ko="찾기", en="Find")
FOUND = Message(ko="찾은 문서", en="Found")
EARLIER = Message(ko="앞", en="Earlier")
LATER = Message(ko="뒤", en="Later")
SHOWN = Message(ko="{count:,}건 가운데 {first:,}~{last:,}", en="{first:,} to {last:,} of {count:,}")
ASIDE = Message(
    ko="감시 폴더에서 읽지 못한 파일이 {count}개 있습니다. failed 폴더에 까닭과 함께 있습니다.",
    en="{count} files of the watched folder could not be read; they are in failed, with reasons.",
)
TOO_LARGE = Message(ko="파일이 너무 큽니다.", en="The file is too large.")
ROLE = Message(ko="역할", en="Role")
ADD = Message(ko="추가", en="Add")
WHOLE = Message(
    ko="온전합니다: {lines}줄, 마지막 값 {digest}", en="Whole: {lines} lines, last digest {digest}"
)
BROKEN = Message(ko="온전하지 않습니다: {why}", en="Not whole: {why}")
REFUSED = Message(ko="할 수 없는 일입니다.", en="This is not allowed.")
FAILED = Message(ko="처리하지 못했습니다.", en="It failed.")
NOT_THERE = Message(ko="그런 것이 없습니다.", en="There is no such thing.")
CONFLICT = Message(
    ko="그 사이에 문서가 바뀌었습니다. 다시 읽습니다.",
    en="The document has changed meanwhile. It is read again.",
)
TAKEN = Message(
    ko="다른 사람이 먼저 맡았거나, 그 사이에 상태가 바뀌었습니다.",
    en="Somebody else was first, or it is no longer where it was.",
)
BLOCKED = Message(
    ko="정하지 않은 곳이 남아 있습니다. 모두 정한 뒤에 하십시오.",
    en="Something has not been answered yet. Answer all of it first.",
)
NO_DECISION = Message(ko="정할 수 없는 내용입니다: {why}", en="No such decision: {why}")
PRIVATE = Message(
    ko="이 화면에는 가리기 전의 이름과 번호가 그대로 들어 있습니다. 법원 밖으로 내보내지 마십시오.",
    en="This page holds names and numbers as they were. Let none of it leave the court.",
)
CAREFUL = Message(ko="주의", en="Careful")
QUESTIONS = Message(ko="살펴볼 곳", en="To be looked at")
MUST = Message(ko="반드시", en="must")
ENTITIES = Message(ko="가린 말", en="Masked")
LABEL = Message(ko="분류", en="Label")
KEYS = Message(ko="단축키", en="Keys")
NEXT = Message(ko="다음, 앞의 살펴볼 곳", en="next, previous question")
MARKS = Message(ko="다음, 앞의 표시한 곳", en="next, previous mark")
MASK = Message(ko="모두 가리기 (Shift: 여기만)", en="mask everywhere (Shift: here)")
OPEN = Message(ko="모두 남기기 (Shift: 여기만)", en="leave open everywhere (Shift: here)")
ANSWER = Message(ko="이대로 두기", en="leave as it is")
JOIN = Message(ko="같은 것으로 잇기 (두 번)", en="join with (twice)")
UNDO = Message(ko="되돌리기, 다시 하기", en="undo, redo")
NOTE = Message(ko="메모", en="note")
CHOOSE = Message(ko="분류 고르기", en="choose a label")
FINISH = Message(ko="검토 마침", en="Finish review")
RELEASE = Message(ko="확인하고 공개", en="Confirm and release")
SEND_BACK = Message(ko="검토로 되돌림", en="Send back")
HOLD = Message(ko="보류", en="Hold back")
PUT_BACK = Message(ko="내려놓기", en="Put back")
REASON = Message(ko="까닭을 적으십시오", en="Give a reason")
LEFT = Message(ko="정할 곳 {open} · 샌 곳 {leaks}", en="to be answered {open} · leaks {leaks}")

NOT_WRITTEN = Message(
    ko="결과를 원본의 형식으로 쓸 수 없습니다: {why}",
    en="The result cannot be written in its original's format: {why}",
)
FILE = Message(ko="파일 받기({format})", en="Download the file ({format})")
DRAWN = Message(ko="쪽 그림으로 견주어 보기", en="Compare the pages as drawn")
NOT_DRAWN = Message(
    ko="{format}을(를) 그릴 프로그램이 이 서버에 없어 글로만 봅니다.",
    en="No program on this server draws {format}: it is shown as text.",
)
TO_TEXT = Message(ko="글로 돌아가기", en="Back to the text")
OTHER_PAGES = Message(
    ko="쪽수가 다릅니다: 원문 {before}쪽, 결과 {after}쪽.",
    en="The pages differ in number: {before} before, {after} after.",
)
LEFT_OPEN = Message(ko="남김", en="left open")
DIFFERENCE = Message(
    ko="두 검토가 다릅니다: 첫째 {first} · 둘째 {second}. 어느 쪽인지 정하십시오.",
    en="Two readings differ: first {first} · second {second}. Settle it.",
)
NOT_READ = Message(
    ko="아직 읽지 않은 글이 {count:,}자 있습니다. D를 눌러 읽은 곳을 적으십시오.",
    en="{count:,} characters have not been read. Press D to note what you have read.",
)
RELEASED = Message(ko="공개한 문서", en="Released")
STATISTICS = Message(ko="통계", en="Statistics")
WITHDRAW = Message(ko="공개 취소", en="Withdraw")
CORRECT = Message(ko="고쳐 다시 내기", en="Correct and issue again")
RETRY = Message(ko="다시 하기", en="Try again")
READ = Message(ko="보기", en="Read")
ORIGINAL = Message(ko="원문", en="Original")
RESULT = Message(ko="비실명 처리한 결과", en="Result")
FIND = Message(ko="원문에서 찾기", en="Find in the original")
SPLIT = Message(ko="다른 글자로 나누기", en="give a letter of its own")
EDGES = Message(ko="고른 말을 넓히기 (Shift: 줄이기)", en="widen what is chosen (Shift: cut)")
TO_FINISH = Message(ko="검토 마침 또는 확인하고 공개", en="finish, or confirm and release")
HISTORY = Message(ko="결정", en="Decisions")
WAIT = Message(ko="읽는 중입니다…", en="Reading…")
NO_QUESTIONS = Message(ko="없습니다.", en="None.")
WHEN = Message(ko="때", en="Time")
WHO = Message(ko="누가", en="Who")
WHAT = Message(ko="무엇을", en="What")
FACTS = Message(ko="사실", en="Facts")
NOT_FOUND = Message(ko="원문에 없습니다.", en="Not in the original.")
PLACES = Message(ko="곳", en="places")
MISSED = Message(ko="사람이 가린 말(놓친 것)", en="Masked by people (missed)")
OPENED = Message(ko="사람이 남긴 말(지나친 것)", en="Opened by people (over-masked)")
MINUTES = Message(ko="걸린 시간(분, 중앙값)", en="Time (minutes, median)")
STEPS_DONE = Message(ko="한 일", en="Steps")
RESET = Message(ko="비밀번호 새로 주기", en="Set another password")
SKIP = Message(ko="본문으로", en="To the text")

KINDS = {
    "mask": Message(ko="모두 가림", en="masked everywhere"),
    "open": Message(ko="모두 남김", en="left open everywhere"),
    "mask place": Message(ko="한 곳 가림", en="masked one place"),
    "open place": Message(ko="한 곳 남김", en="left one place open"),
    "edge": Message(ko="가장자리 고침", en="edges changed"),
    "join": Message(ko="이음", en="joined"),
    "letter": Message(ko="글자 정함", en="letter set"),
    "answer": Message(ko="그대로 둠", en="left as it is"),
    "note": Message(ko="메모", en="note"),
    "read": Message(ko="읽음", en="read"),
}
ACTIONS = {
    "import": Message(ko="문서 넣기", en="imported"),
    "de-identify": Message(ko="비실명 처리", en="de-identified"),
    "fail": Message(ko="처리 실패", en="failed"),
    "claim": Message(ko="맡음", en="claimed"),
    "finish": Message(ko="검토 마침", en="review finished"),
    "to be read again": Message(ko="검토 마침(둘째 검토로)", en="finished, to be read again"),
    "differ": Message(ko="둘째 검토 마침(어긋남)", en="read again, differs"),
    "release": Message(ko="공개", en="released"),
    "send back": Message(ko="검토로 되돌림", en="sent back"),
    "hold": Message(ko="보류", en="held back"),
    "put back": Message(ko="내려놓음", en="put back"),
    "reopen": Message(ko="다시 엶", en="reopened"),
    "retry": Message(ko="다시 함", en="tried again"),
    "withdraw": Message(ko="공개 취소", en="withdrawn"),
    "correct": Message(ko="고치기", en="to be corrected"),
    "undo": Message(ko="되돌림", en="undone"),
    "redo": Message(ko="다시 함(결정)", en="redone"),
    "decide": Message(ko="결정", en="decided"),
    "lease ran out": Message(ko="시간이 지나 풀림", en="lease ran out"),
    "sign in": Message(ko="들어옴", en="signed in"),
    "sign in failed": Message(ko="들어오지 못함", en="sign-in failed"),
    "add user": Message(ko="사용자 추가", en="user added"),
    "erase": Message(ko="원본 지움", en="original deleted"),
    "erase files": Message(ko="받은 파일 지움", en="taken files deleted"),
    "compare": Message(ko="다시 견줌", en="compared"),
    "import failed": Message(ko="넣지 못함", en="import failed"),
    "set role": Message(ko="역할 바꿈", en="role set"),
    "set standing": Message(ko="계정 바꿈", en="account changed"),
    "freed": Message(ko="계정이 바뀌어 풀림", en="freed: the account changed"),
    "sign on refused": Message(ko="통합 로그인 거절", en="sign-on refused"),
    "set password": Message(ko="비밀번호 바꿈", en="password set"),
    "add token": Message(ko="토큰 추가", en="token added"),
    "revoke token": Message(ko="토큰 없앰", en="token revoked"),
}
"""What stands in the audit as ``action``, as people read it."""

EVIDENCE = Message(ko="공개본의 증거", en="Evidence of the lot")
EVIDENCE_SAYS = Message(
    ko="단위는 문서입니다. 전부 읽은 사람이 가렸을 것이 읽히는 문서를 '샌 문서'라 합니다. 상한은 "
    "신뢰도 {confidence} %의 정확한 한쪽 상한(Clopper–Pearson, 유한 묶음은 초기하)이고, 뽑힌 것이 "
    "없으면 100 %입니다. 찾은 것은 모두 고친 뒤에 공개했습니다.",
    en="The unit is a document; it leaks where something is readable that a person who reads all "
    "of it would mask. Bounds are exact, one-sided, at {confidence} % (Clopper–Pearson; finite "
    "lot: hypergeometric); where nothing was drawn they are 100 %. What was found was mended "
    "before release.",
)
OF_QUICK = Message(ko="빠른 길: 뽑아 전부 읽은 표본", en="Quick route: sample read in full")
OF_READ = Message(ko="전부 읽은 문서: 둘째 검토", en="Read in full: second readings")
OF_PLANTED = Message(ko="심은 자리: 검토자가 찾은 몫", en="Planted leaks: what readers catch")
OF_ALL = Message(ko="공개본 전체(각 길의 상한을 무게로 더함)", en="All released (strata weighted)")
LOT = Message(ko="묶음의 문서", en="Documents of the lot")
DRAWN_READ = Message(ko="뽑아 읽은 문서", en="Drawn and read")
READ_TWICE = Message(ko="두 번 읽은 문서", en="Read twice")
WITH_LEAK = Message(ko="샌 문서", en="With a leak")
BOUND = Message(ko="샌 비율의 상한", en="Upper bound of the leak rate")
FINITE_BOUND = Message(ko="상한(유한 묶음)", en="Upper bound (finite lot)")
AFTER_RECALL = Message(ko="상한(검토자가 놓치는 몫까지)", en="Upper bound (readers miss, too)")
PLANTED = Message(ko="심은 문서", en="Planted")
CAUGHT = Message(ko="찾은 문서", en="Caught")
RECALL_BOUND = Message(ko="찾는 비율의 하한", en="Lower bound of the share caught")
PLAN = Message(
    ko="표집 계획: {read}건을 읽어 샌 문서 {leaks}건까지 받아들일 때",
    en="Sampling plan: {read} read, up to {leaks} with a leak accepted",
)
RATE = Message(ko="참 비율이", en="At a true rate of")
ACCEPTED = Message(ko="받아들여질 확률", en="it is accepted with")
ROUTE = Message(ko="길", en="Route")
ROUTES = {
    "full": Message(ko="전부", en="full"),
    "quick": Message(ko="빠름", en="quick"),
    "sampled": Message(ko="표본(전부)", en="sampled"),
}
ROUTES_SAY = {
    "full": Message(ko="전부 읽어야 합니다.", en="All of it has to be read."),
    "quick": Message(
        ko="살펴볼 곳에 답하고 가린 말을 훑으면 됩니다.",
        en="Answer what is asked, and look over the masked wordings.",
    ),
    "sampled": Message(
        ko="표본으로 뽑혔습니다: 전부 읽어야 합니다.", en="Drawn as a sample: all has to be read."
    ),
}
SECOND_READING = Message(ko="둘째 검토", en="Read again")
SETTLE = Message(ko="조정", en="Settle")
READ_HERE = Message(ko="보이는 글을 읽음", en="what is in view is read")
UNREAD = Message(ko="읽을 글 {count:,}자", en="{count:,} characters to read")
ALL_READ = Message(ko="모두 읽음", en="all read")
AGREEMENT = Message(ko="두 검토의 일치(F1)", en="Agreement of readers (F1)")
BOTH = Message(ko="모든 분류", en="all labels")
NO_LABEL = Message(ko="분류 없음", en="no label")
KAPPA = Message(ko="가림·남김의 카파", en="kappa of masked or open")

STATES = {
    "waiting": Message(ko="처리 중", en="being de-identified"),
    "failed": Message(ko="실패", en="failed"),
    "free": Message(ko="검토 전", en="free"),
    "claimed": Message(ko="검토 중", en="under review"),
    "second": Message(ko="둘째 검토 전", en="to be read again"),
    "rereading": Message(ko="둘째 검토 중", en="being read again"),
    "differing": Message(ko="조정 전", en="readings differ"),
    "settling": Message(ko="조정 중", en="being settled"),
    "reviewed": Message(ko="확인 전", en="reviewed"),
    "confirming": Message(ko="확인 중", en="being confirmed"),
    "released": Message(ko="공개", en="released"),
    "held": Message(ko="보류", en="held back"),
    "withdrawn": Message(ko="공개 취소", en="withdrawn"),
}
ROLES = {
    "reviewer": Message(ko="검토자", en="reviewer"),
    "confirmer": Message(ko="확인자", en="confirmer"),
    "administrator": Message(ko="관리자", en="administrator"),
    "auditor": Message(ko="감사자", en="auditor"),
}


def at(seconds: float) -> str:
    """Return a time as the pages show it, by this machine's clock."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def plain(facts: Mapping[str, object]) -> str:
    """Return the facts of a line of the audit as they are read."""
    return json.dumps(facts, ensure_ascii=False) if facts else ""


def action(name: str) -> str:
    """Return what a line of the audit did, as people read it."""
    return ACTIONS[name]() if name in ACTIONS else name
