"""What is said of datasets: what is wrong with one, and the cure, in Korean and in English."""

from thunder.settings.messages import Message

# --- folders and files of a dataset ---------------------------------------------------------------

AGAIN = Message(
    ko="데이터셋을 다시 만드십시오(thunder dataset build)",
    en="build the dataset again (thunder dataset build)",
)
IS_FILE = Message(
    ko="{folder}: 파일입니다. 만들 폴더의 이름을 주십시오",
    en="{folder} is a file; give the name of a folder to build in",
)
BUILDING_THERE = Message(
    ko="{folder}: 다른 명령이 여기에 만들고 있습니다. 끝나기를 기다리십시오",
    en="{folder}: another build is running there; wait for it",
)
OTHER_BUILD = Message(
    ko="{folder}: 다르게 만든 데이터셋이 있습니다(다른 것: {differs}). 다른 폴더를 주거나, "
    "--overwrite로 바꾸십시오. 아무것도 바꾸지 않았습니다",
    en="{folder} holds a dataset of another build (different: {differs}); choose another folder, "
    "or give --overwrite to replace it",
)
NOT_OURS = Message(
    ko="{folder}: 데이터셋의 폴더가 아니고 비어 있지도 않습니다({shown}). 다른 폴더를 주십시오",
    en="{folder} is no folder of a dataset and not empty ({shown}); choose another one",
)
INPUT_CHANGED = Message(
    ko="{folder}: 읽는 동안 파일이 바뀌었습니다. 다시 만드십시오",
    en="{folder}: an input changed while it was read; build again",
)
WITH_OVERWRITE = Message(
    ko="{error}. --overwrite를 붙이십시오: 폴더에 상한 것이 있습니다",
    en="{error}, with --overwrite: the folder holds the damaged one",
)
WORKER_ENDED = Message(
    ko="{folder}: {name}을(를) 만들던 프로세스가 끝나 버렸습니다({answer}). 메모리가 모자라면 "
    "--workers를 줄이십시오. 같은 명령이 여기부터 이어 갑니다",
    en="{folder}: a worker process ended ({answer}) while it made {name}; with little memory give "
    "fewer --workers. The same command goes on from here",
)
NOT_FILLED = Message(
    ko="{id}: 채우지 못했습니다: {what}. 이 조각은 남기지 않았습니다",
    en="{id} could not be filled: {what}; nothing of its shard was kept",
)
MISSING = Message(ko="{path}: 없습니다. {why}", en="{path} is missing: {why}")
NO_FOLDER = Message(ko="{folder} 폴더가 없습니다", en="there is no folder {folder}")
UNFINISHED = Message(
    ko="만들기가 끝나지 않았습니다. 같은 'thunder dataset build'를 다시 하십시오",
    en="its build was not finished; run the same 'thunder dataset build' again",
)
NO_DATASET = Message(
    ko="데이터셋의 폴더가 아닙니다. 'thunder dataset build'로 만드십시오",
    en="this is no folder of a dataset; make one with 'thunder dataset build'",
)
OTHER_FORMAT = Message(
    ko="{path}: '{format}' 형식이 아닙니다. 데이터셋을 다시 만드십시오",
    en="{path}: not of the format '{format}': build the dataset again",
)
MANIFEST_CHANGED = Message(
    ko="{path}: 쓴 뒤에 바뀌었습니다. 데이터셋을 다시 만드십시오",
    en="{path}: changed since it was written: build the dataset again",
)
DAMAGED = Message(
    ko="{path}: 상했습니다({kind}). 데이터셋을 다시 만드십시오",
    en="{path}: damaged ({kind}): build the dataset again",
)
OTHER_SIZE = Message(
    ko="{path}: {expected:,}바이트를 썼는데 {size:,}바이트입니다. 끝이 잘렸거나 다른 것입니다. "
    "{again}",
    en="{path}: {size:,} bytes where {expected:,} were written, cut short or of another build: "
    "{again}",
)
OTHER_CONTENT = Message(
    ko="{path}: 쓴 내용이 아닙니다. {again}",
    en="{path}: its content is not what was written: {again}",
)
CANNOT_READ = Message(
    ko="{path}: 읽을 수 없습니다({kind}). {again}", en="{path} cannot be read ({kind}): {again}"
)
SPLITS_OTHER = Message(
    ko="{path}: 없거나 쓴 내용이 아닙니다. {again}",
    en="{path}: missing, or not what was written: {again}",
)
COUNTS_OTHER = Message(
    ko="{path}: {part}에 문서가 {said}건이라는데 {found}건입니다. {again}",
    en="{path}: says {said} documents of {part}, there are {found}: {again}",
)
MADE_WITH_OTHER = Message(
    ko="{folder}: 지금 준 것({given})과 다른 {name}({held})으로 만들었습니다. 만들 때의 폴더를 "
    "주거나, {again}",
    en="{folder}: made with another {name} ({held}) than is given ({given}): give the folder it "
    "was made with, or {again}",
)
OTHER_LABELS = Message(
    ko="{folder}: 라벨이 {place}의 분류 체계 것도, 그 앞선 것도 아닙니다. 만들 때의 분류 체계를 "
    "주거나(--taxonomy), {again}",
    en="{folder}: its labels are not those of the taxonomy in {place}, nor earlier ones of it: "
    "give the taxonomy it was made with, or {again}",
)
NOT_SHARD = Message(
    ko="{path}: 조각의 파일이 아닙니다. {again}", en="{path}: not the files of a shard: {again}"
)
OTHER_COLUMNS = Message(
    ko="{path}: 다른 판의 칸입니다. {again}", en="{path}: columns of another version: {again}"
)
COUNTS_OF_MANIFEST = Message(
    ko="{path}: 수가 목록(manifest.json)과 다릅니다. {again}",
    en="{path}: its counts are not those of the manifest: {again}",
)
NOT_STORED = Message(
    ko="{path}: 문서 {judgment}의 예가 없습니다. {again}",
    en="{path}: no example of document {judgment} is stored: {again}",
)
EPOCH_NOT_STORED = Message(
    ko="{name}의 {epoch}번 에폭은 저장하지 않았습니다(저장한 것: {stored}개). filler를 "
    "주거나(Dataset.filler), --epochs {enough}로 만드십시오",
    en="epoch {epoch} of {name} is not stored ({stored} are): give a filler (Dataset.filler), or "
    "build with --epochs {enough}",
)
OTHER_CODE = Message(
    ko="{folder}: 다른 판의 프로그램으로 만들었습니다. 새로 뽑는 에폭은 다를 수 있습니다",
    en="{folder}: made by other code of thunder; new epochs may differ",
)

# --- what is built --------------------------------------------------------------------------------

NO_TOKENIZER = Message(
    ko="{folder}: 토크나이저의 폴더가 아닙니다. tokenizer/32k 같은 폴더를 주십시오",
    en="{folder} is no folder of a hybrid tokenizer, as tokenizer/32k is",
)
NO_DOCUMENT = Message(
    ko="{names}: 문서가 하나도 없습니다", en="{names}: there is no document in it"
)
NONE_USABLE = Message(
    ko="{names}: 문서 {number}건 가운데 쓸 수 있는 것이 없습니다: {first}",
    en="{names}: none of {number} documents can be used: {first}",
)
ONE_OR_MORE = Message(
    ko="{name}은(는) 1 이상이며, {given}은(는) 아닙니다", en="{name} must be 1 or more, not {given}"
)
EMPTY = Message(ko="빈 문서입니다", en="the document is empty")
TOO_LONG = Message(
    ko="{length:,}자로, {most:,}자보다 깁니다. 나누십시오",
    en="{length} characters, more than {most}: split it",
)
OTHER_NAME = Message(
    ko="'{label}'은(는) '{right}'의 다른 이름입니다. '{right}'(으)로 적으십시오",
    en="'{label}' is another name of '{right}': make the spans canonical",
)

# --- why a document is left out -------------------------------------------------------------------

REASONS = {
    "an id used before": Message(ko="앞에 나온 id", en="an id used before"),
    "not UTF-8": Message(ko="UTF-8이 아님", en="not UTF-8"),
    "not JSON": Message(ko="JSON이 아님", en="not JSON"),
    "not a JSON object": Message(ko="JSON 객체가 아님", en="not a JSON object"),
    "an empty document": Message(ko="빈 문서", en="an empty document"),
    "unbalanced or broken marks": Message(
        ko="짝이 맞지 않거나 깨진 표시", en="unbalanced or broken marks"
    ),
    "an unknown label": Message(ko="분류 체계에 없는 라벨", en="an unknown label"),
    "a label without a list": Message(
        ko="대체 목록이 없는 라벨. 목록을 만드십시오(thunder lists check가 자리를 알려 줍니다)",
        en="a label without a list",
    ),
}
"""The reasons that a manifest stores, as they are shown; others are shown as they are."""


def reason(stored: str) -> str:
    """Return why a document was left out, in the language of messages."""
    return REASONS[stored]() if stored in REASONS else stored
