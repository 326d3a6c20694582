"""What is said of YAML that people edit, and of edits under way, in Korean and in English."""

from thunder.settings.messages import Message

NOT_UTF8 = Message(
    ko="UTF-8이 아닙니다. 파일을 UTF-8로 저장하십시오",
    en="not UTF-8: save the file as UTF-8",
)
CP949 = Message(
    ko="UTF-8이 아니라 CP949(완성형)입니다. 파일을 UTF-8로 저장하십시오",
    en="not UTF-8 but CP949 (완성형): save the file as UTF-8",
)
UNREADABLE = Message(
    ko="읽을 수 없습니다: {why}",
    en="cannot be read: {why}",
)
EMPTY_FILE = Message(
    ko="파일이 비어 있습니다",
    en="the file is empty",
)
NO_MAPPING = Message(
    ko="'키: 값'이 와야 하는데 {kind}입니다",
    en="expected keys and values, not {kind}",
)
KEY_TWICE = Message(
    ko="키 '{key}'를 두 번 적었습니다. 하나를 지우십시오",
    en="the key '{key}' is given twice",
)
UNKNOWN_KEY = Message(
    ko="모르는 키 '{key}'입니다. 쓸 수 있는 키: {choices}",
    en="unknown key '{key}'; known are {choices}",
)
KEY_MISSPELT = Message(
    ko="모르는 키 '{key}'입니다. '{meant}'(으)로 고치십시오",
    en="unknown key '{key}'; write '{meant}'",
)
KEY_MISSING = Message(
    ko="키 '{key}'가 없습니다. 적어 넣으십시오",
    en="the key '{key}' is missing",
)
NO_LIST = Message(
    ko="목록이 와야 하는데 {kind}입니다",
    en="expected a list, not {kind}",
)
NO_TEXT = Message(
    ko="글이 와야 하는데 {kind}입니다. 글이면 따옴표로 묶으십시오",
    en="expected text, not {kind}; put quotes around a text",
)
UNKNOWN_VALUE = Message(
    ko="모르는 값 '{value}'입니다. 쓸 수 있는 값: {choices}",
    en="unknown '{value}'; known are {choices}",
)
NO_NUMBER = Message(
    ko="자연수가 와야 하는데 {kind}입니다",
    en="expected a whole number, not {kind}",
)
NO_BOOLEAN = Message(
    ko="true나 false가 와야 하는데 {kind}입니다",
    en="expected true or false, not {kind}",
)
NOT_YAML = Message(
    ko="YAML 문법에 맞지 않습니다: {why}",
    en="not YAML: {why}",
)
OPEN_QUOTE = Message(
    ko="따옴표를 열고 닫지 않았습니다. 같은 줄에서 닫으십시오",
    en="a quote is opened and never closed: close it on the same line",
)
_COLON = Message(
    ko="'키: 값' 꼴이 아닙니다. 쌍점(:)을 적고 그 뒤를 한 칸 띄우십시오",
    en="not of the form 'key: value': write a colon and a space behind it",
)
NEEDS_QUOTES = Message(
    ko='괄호([ 또는 {{)로 시작하는 글이 따옴표 밖에 있습니다. 값 전체를 따옴표(")로 묶으십시오',
    en='a text that begins with a bracket stands in no quotes: put quotes (") around all of it',
)
_INDENT = Message(
    ko="들여쓰기나 '-', 따옴표 뒤의 글이 윗줄과 맞지 않습니다. 위아래 줄과 칸을 맞추고, 값은 "
    "따옴표 안에 모두 적으십시오",
    en="the indent, the '-' or what stands behind a quote does not fit the line above: indent it "
    "as its neighbours, and write all of a value inside its quotes",
)
_BRACKET = Message(
    ko="괄호를 열고 닫지 않았거나 쉼표가 빠졌습니다. '{sign}'(으)로 닫으십시오",
    en="a bracket is opened and never closed, or a comma is missing: close it with '{sign}'",
)
_SIGN = Message(
    ko="따옴표 없이 쓸 수 없는 기호로 값이 시작됩니다. 값을 따옴표로 묶으십시오",
    en="a value begins with a sign that needs quotes: put quotes around the value",
)
YAML_FAULTS = (
    ("found a tab", Message(ko="탭이 있습니다. 빈칸으로 바꾸십시오", en="a tab: write spaces")),
    ("'\\t'", Message(ko="탭이 있습니다. 빈칸으로 바꾸십시오", en="a tab: write spaces")),
    ("unexpected end of stream", OPEN_QUOTE),
    ("unexpected document", OPEN_QUOTE),
    (
        "mapping values are not allowed",
        Message(
            ko="한 줄에 쌍점(: )이 둘이거나 들여쓰기가 맞지 않습니다. 값에 쌍점이 있으면 값을 "
            "따옴표로 묶으십시오",
            en="two colons on a line, or a wrong indent: put quotes around a value with a colon",
        ),
    ),
    ("expected ':'", _COLON),
    ("',' or ']'", _BRACKET),
    ("',' or '}'", _BRACKET),
    ("cannot start any token", _SIGN),
    ("alphabetic or numeric character", _SIGN),
    ("expected comment or line break", _SIGN),
    ("expected chomping", _SIGN),
    ("undefined alias", _SIGN),
    ("duplicate anchor", _SIGN),
    ("second occurrence", _SIGN),
    (
        "escape character",
        Message(
            ko="큰따옴표 안의 '\\' 뒤에 올 수 없는 글자입니다. 작은따옴표로 묶으십시오",
            en="a character that may not follow '\\' in double quotes: use single quotes",
        ),
    ),
    (
        "expected node content",
        Message(
            ko="값이 있을 자리에 다른 기호가 있거나, 괄호를 열고 닫지 않았습니다",
            en="a sign stands where a value should, or a bracket is never closed",
        ),
    ),
    ("expected key", _INDENT),
    ("expected '-' indicator", _INDENT),
    ("expected <block end>", _INDENT),
    ("not allowed in this context", _INDENT),
    ("expected <document start>", _INDENT),
    ("expected a single document", _INDENT),
    (
        "control characters",
        Message(
            ko="보이지 않는 제어 문자가 있습니다. 지우고 다시 적으십시오",
            en="an invisible control character: take it out",
        ),
    ),
)
"""What the reader of YAML says, by words of it, and what is said to people instead."""

SEEN_AT = Message(ko=" ({line}행에서 드러남)", en=" (seen at line {line})")
AN_EMPTY_VALUE = Message(
    ko="빈 값",
    en="an empty value",
)
A_LIST = Message(
    ko="목록",
    en="a list",
)
A_MAPPING = Message(
    ko="키와 값",
    en="keys and values",
)
IS_EMPTY = Message(
    ko="값이 비어 있습니다",
    en="is empty",
)
HAS_SPACES = Message(
    ko="값의 앞이나 뒤에 빈칸이 있습니다. 지우십시오",
    en="has spaces around it",
)
NOT_NFC = Message(
    ko="값이 조합형(NFD)입니다. 완성형(NFC)으로 다시 적으십시오",
    en="is not in Unicode's composed form (NFC)",
)
INVISIBLE = Message(
    ko="값에 보이지 않는 글자가 있습니다. 지우고 다시 적으십시오",
    en="holds an invisible character",
)
LAID_OUT = Message(
    ko="{line}행의 모양이 고치면 달라집니다. {new!r}로 적거나, 파일을 손으로 고치십시오",
    en="line {line} is laid out in a way that an edit would change; write it as "
    "{new!r}, or edit the file by hand",
)
MORE_LINES = Message(
    ko="{line}행 말고도 바뀝니다. 파일을 손으로 고치십시오",
    en="more than line {line} would change; edit the file by hand",
)
LINE_NO_LIST = Message(
    ko="{line}행은 목록이 아닙니다. 파일을 손으로 고치십시오",
    en="line {line} is no list; edit the file by hand",
)
LIST_OF_LINES = Message(
    ko="{line}행: 목록을 '- '로 시작하는 행으로 나누어 적으십시오",
    en="line {line}: write the list as lines that begin with '- '",
)
MORE_BEHIND = Message(
    ko="{line}행의 '[]' 뒤에 다른 것이 있습니다. 파일을 손으로 고치십시오",
    en="line {line} has more behind '[]'; edit the file by hand",
)
NO_DASH = Message(
    ko="{line}행이 '- '로 시작하지 않습니다. 파일을 손으로 고치십시오",
    en="line {line} does not begin with '- '; edit the file by hand",
)
OTHER_DISK = Message(
    ko="{path}: {folder}와 다른 디스크에 있습니다. 같은 디스크로 옮기십시오",
    en="{path} lies on another disk than {folder}",
)
CONFLICT = Message(
    ko="{path}:1: 그동안 다른 사람이 바꾸었습니다. 다시 하십시오",
    en="{path}:1: was changed by someone else meanwhile; try again",
)
JOURNAL_UNREADABLE = Message(
    ko="{path}:1: 변경 기록을 읽을 수 없습니다: {why}",
    en="{path}:1: the journal cannot be read: {why}",
)
UNFINISHED = Message(
    ko="{path}:1: {folder}의 변경이 중간에 멈추었거나 진행 중입니다. 'thunder "
    "taxonomy check'(다른 폴더면 'thunder taxonomy migrate')가 끝마칩니다",
    en="{path}:1: an edit of {folder} stopped half-way or is under way; 'thunder "
    "taxonomy check' finishes it (for other folders, 'thunder taxonomy migrate')",
)
CHANGED_SINCE = Message(
    ko="{path}:1: 그 뒤에 바뀌었거나 없어졌습니다",
    en="{path}:1: was changed or lost since",
)
STUCK = Message(
    ko="{path}:1: '{title}' 변경이 중간에 멈추어 끝마칠 수 없습니다. 다음 파일을 앞의 "
    "내용으로 되돌린 뒤 다시 하십시오:{files}",
    en="{path}:1: '{title}' stopped half-way and cannot be finished; bring these "
    "files back as they were (git checkout), then try again:{files}",
)
