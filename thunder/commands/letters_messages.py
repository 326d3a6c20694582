"""What ``thunder letters`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

LEDGER = Message(
    ko="글자 장부 파일. 이름은 들어 있지 않습니다.", en="The ledger; it holds no names."
)
KEYS = Message(
    ko="장부의 열쇠 파일. 장부와 다른 폴더에, 주인만 읽게 둡니다.",
    en="The key file of the ledger: in another folder, for its owner alone.",
)
PATHS = Message(
    ko="사건군의 판결서가 있는 파일과 폴더.", en="Files and folders with the families' judgments."
)
FAMILIES = Message(
    ko="id,case,below 열의 표: 판결의 id, 사건, 원심이나 병합된 사건(;로 나눔).",
    en="A table id,case,below: a judgment, its case, the cases below or joined, parted by ;.",
)
NUMBER = Message(ko="물음의 번호(thunder letters questions).", en="The number of the question.")
CASE = Message(ko="사건군에 드는 사건, 표에 쓴 대로.", en="A case of the family, as in the table.")

LETTERS = Message(
    ko="심급을 넘어 같은 글자를 쓰는 장부(thunder letters assign으로 만듭니다).",
    en="A ledger of letters kept over instances (made by thunder letters assign).",
)
NEEDS_KEYS = Message(
    ko="--letters에는 --letter-keys(열쇠 파일)도 주십시오",
    en="--letters needs --letter-keys, the key file",
)
NOT_WITH_CASE = Message(
    ko="--letters와 --case는 함께 쓰지 못합니다: 하나만 주십시오",
    en="--letters does not go with --case: give one of them",
)
NOT_IN_INPUT = Message(
    ko="{path}: 입력에 없는 id가 {count}건 있습니다(첫째: {first}): 판결서를 주거나 그 줄을 "
    "지우십시오",
    en="{path}: {count} ids are not in the input (the first: {first}): give it, or take them out",
)
TWICE = Message(
    ko="{id}: 같은 id의 문서가 둘입니다: id를 고치십시오",
    en="{id}: two documents have this id: correct it",
)
ASSIGNED = Message(
    ko="판결 {judgments:,}건에 글자를 배정했습니다(전에 한 것 {known:,}건). 새 글자 {given:,}, "
    "이은 글자 {kept:,}.",
    en="Letters for {judgments:,} judgments ({known:,} had theirs): {given:,} new, {kept:,} kept.",
)
QUESTION = Message(
    ko="물음 {number}: {letter}({one})와 앞 심급의 {other}({its})가 같은 사람입니까? "
    "thunder letters same/different",
    en="question {number}: is {letter} ({one}) the same person as {other} ({its}) of an earlier "
    "instance? thunder letters same/different",
)
NO_QUESTIONS = Message(ko="물음이 없습니다.", en="Nothing is asked.")
ONE = Message(
    ko="같은 사람입니다: {letter}는 {other}가 됩니다. 그 판결서를 다시 비실명 처리하십시오.",
    en="One person: {letter} becomes {other}. De-identify those judgments again.",
)
TWO = Message(
    ko="다른 사람입니다: {letter}와 {other}를 그대로 둡니다.",
    en="Two persons: {letter} and {other} stay.",
)
NO_CASE = Message(
    ko="장부에 그런 사건이 없습니다: 표에 쓴 대로 주십시오", en="No such case in the ledger."
)
CLOSED = Message(
    ko="사건군의 열쇠와 기록을 없앴습니다.", en="Key and rows of the family are destroyed."
)
DESTROYED = Message(
    ko="{path}: 열쇠를 없앴습니다. 장부에서 더는 아무것도 알 수 없습니다.",
    en="{path}: destroyed; the ledger says nothing any more.",
)
STANDINGS = {
    "accused": "피고인",
    "defendant": "피고",
    "plaintiff": "원고",
    "victim": "피해자",
    "witness": "증인",
    "expert": "감정인",
    "outsider": "소외",
    "guarantor": "보증인",
    "intervener": "참가인",
    "deceased": "망",
}
