"""What ``thunder dataset`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

# --- all of them ----------------------------------------------------------------------------------

NO_FILE = Message(ko="{place}: 파일이 없습니다", en="{place}: there is no such file")
IS_FOLDER = Message(
    ko="{place}: 폴더입니다. 파일 이름을 주십시오", en="{place}: is a folder: give a file's name"
)
EXISTS = Message(
    ko="{place}: 이미 있습니다. 다른 이름을 주거나 --force로 덮어쓰십시오",
    en="{place}: exists already: give another name, or --force to write over it",
)
IS_INPUT = Message(
    ko="{place}: 읽을 파일입니다. 다른 이름을 주십시오",
    en="{place}: is one of the files to read: give another name",
)
UNKNOWN = Message(
    ko="{option}: '{given}'은(는) 없는 값입니다. 있는 것: {known}",
    en="{option}: unknown '{given}'; known are {known}",
)

# --- fill -----------------------------------------------------------------------------------------

FILLED = Message(
    ko="{place}: 판결 {judgments:,}건에 대체어 {mentions:,}개를 넣어 문서 {documents:,}건을 "
    "썼습니다. 채점: thunder evaluate {place} 체계=예측.jsonl",
    en="{place}: {mentions:,} mentions put into {judgments:,} judgments, {documents:,} documents "
    "written. To score: thunder evaluate {place} NAME=PREDICTIONS.jsonl",
)
LEFT_OUT_FOR = Message(
    ko="{ids} … 판결 {number:,}건: {reason}", en="{ids} … {number:,} judgments: {reason}"
)
LEFT_OUT = Message(
    ko="뺀 판결 {number:,}건(까닭은 위에)",
    en="{number:,} judgments left out, for the reasons above",
)
NOTHING_FILLED = Message(
    ko="채울 수 있는 판결이 하나도 없습니다", en="there is no judgment that can be filled"
)
LEFT_PLACE = Message(ko="{id}: {line}행 {column}열", en="{id}: line {line} column {column}")
LEFT = Message(
    ko="표시가 없어 채우지 못한 자리표시가 판결 {judgments:,}건에 {number:,}곳 남았습니다"
    "(위는 그중 {shown}건의 첫 자리). 표시를 더하거나 --whole로 이런 판결을 빼십시오.",
    en="{number:,} placeholders without a mark were left in {judgments:,} judgments (above the "
    "first of {shown}). Mark them, or leave such judgments out with --whole.",
)
REASON_LEFT = Message(
    ko="표시가 없는 자리표시 {number}곳, 처음은 {line}행 {column}열",
    en="{number} placeholders without a mark, the first at line {line} column {column}",
)

# --- build ----------------------------------------------------------------------------------------

STAGES = {
    "reading": Message(ko="읽는 중", en="reading"),
    "near-duplicates": Message(ko="닮은 판결을 찾는 중", en="near-duplicates"),
    "filling": Message(ko="채우는 중", en="filling"),
}
STATES = {
    "complete": Message(ko="이미 완성되어 있습니다.", en="complete already."),
    "resumed": Message(
        ko="중단되었던 작업을 이어서 끝마쳤습니다.", en="what was interrupted is finished."
    ),
    "restarted": Message(
        ko="입력이나 설정이 달라져, 전에 남은 것을 지우고 처음부터 만들었습니다.",
        en="built anew: inputs or options differed from what was left here.",
    ),
    "new": Message(ko="만들었습니다.", en="built."),
}
MORE_LEFT_OUT = Message(
    ko="… 그 밖에 {more}건: manifest.json의 left_out에 모두 있습니다.",
    en="… and {more} more: manifest.json has all of them under left_out.",
)
VERIFIED = Message(
    ko="{folder}: 조각 {shards}개가 모두 목록(manifest.json)과 같습니다.",
    en="{folder}: all {shards} shards are as the manifest says.",
)
TABLES = {
    "Documents and entities by case type": "사건 종류별 문서와 개체",
    "The paper's Table 1, ours beside it": "논문의 표 1과 이 데이터",
    "Parts (80/10/10 by hash)": "부분(해시로 80/10/10)",
    "Stored examples": "저장한 예",
    "Length of a document in tokens (quantiles)": "문서 하나의 토큰 수(분위수)",
    "Entities by tier": "분류별 개체",
    "The 20 most frequent labels": "가장 잦은 라벨 20개",
    "How often a label occurs": "라벨이 나오는 횟수",
    "Documents left out": "뺀 문서",
    "case type": "사건 종류",
    "documents": "문서",
    "entities": "개체",
    "entities %": "개체 %",
    "each": "문서당",
    "nearest in the paper": "논문에서 가까운 것",
    "Table 1": "표 1",
    "ours": "이 데이터",
    "part": "부분",
    "examples": "예",
    "tokens": "토큰",
    "masked": "가린 토큰",
    "masked %": "가린 토큰 %",
    "ignored": "세지 않은 토큰",
    "identifier": "식별성",
    "subcategory": "중분류",
    "labels used": "쓰인 라벨",
    "label": "라벨",
    "labels": "라벨",
    "in English": "영어",
    "times": "횟수",
    "reason": "까닭",
    "all": "모두",
}
"""What tables of figures say on a Korean screen; in files they are as the paper's."""
