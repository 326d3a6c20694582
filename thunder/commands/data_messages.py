"""What ``thunder data`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

NOTHING = Message(ko="없음", en="nothing there")
HOW_TO_GET = Message(
    ko="가져오기: thunder data get SOURCE --accept-licence [--from 폴더나 압축 파일]",
    en="Get it: thunder data get SOURCE --accept-licence [--from FOLDER-OR-ARCHIVE]",
)
NO_FILES = Message(
    ko="{place}: .txt, .jsonl, .parquet 파일(압축 포함)이 없습니다",
    en="{place}: no .txt, .jsonl or .parquet file (packed or not) in it",
)
NO_TEXT = Message(
    ko="{place}: '{field}'에 글이 있는 문서가 없습니다. --text를 빼고 돌려 필드 이름을 보십시오",
    en="{place}: no document has a text in '{field}': run without --text to see the fields",
)
EXISTS = Message(
    ko="{place}: 이미 있습니다. 다른 이름을 주거나 --force로 덮어쓰십시오",
    en="{place}: exists already: give another name, or --force to write over it",
)
CONVERTED = Message(ko="{place}: {number:,}건", en="{place}: {number:,} documents")
WITHOUT_TEXT = Message(
    ko="'{field}'에 글이 없어 뺀 문서 {number:,}건",
    en="{number:,} documents left out: no text in '{field}'",
)
WHICH_FIELD = Message(
    ko="글이 있는 필드를 골라 다시: thunder data convert … --text 필드 -o data/이름.jsonl",
    en="Choose the field of the text: thunder data convert … --text FIELD -o data/NAME.jsonl",
)
