"""What ``thunder bulk`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

FOLDER = Message(ko="계획이 있는 폴더.", en="The folder of the run.")
PATHS = Message(
    ko="파일과 폴더: 글, JSONL, CSV, Parquet, 문서. s3://버킷/폴더 같은 주소도 됩니다.",
    en="Files and folders: texts, JSONL, CSV, Parquet, documents; also s3://bucket/folder.",
)
OUT = Message(
    ko="계획과 결과를 담을, 비었거나 없는 폴더나 s3:// 주소.",
    en="The folder for the plan and the results, or s3://…; empty or not there.",
)
IDS_BY_ROW = Message(
    ko="id 열 대신 행의 자리(파일:행)를 id로 씁니다.",
    en="Rows are known by their places (file:row), not by a column.",
)
CASE = Message(
    ko="한 폴더의 모든 파일이 한 사건이고 한 조각에 듭니다. 한 사람은 모든 파일에서 같은 글자로 "
    "나옵니다. 표는 함께 할 수 없습니다.",
    en="All files of one folder are one case, in one shard: a person has one letter in all of "
    "them. Tables do not go with it.",
)
AUDIT = Message(
    ko="조각마다 audit/에 어디에서 무엇을 바꾸었는지 적습니다. 원래 말은 적지 않습니다.",
    en="Write to audit/, shard by shard, what was changed where, without any original word.",
)
MAPPING = Message(
    ko="조각마다 mapping/에 원래 말을 적습니다. 본인만 읽을 수 있습니다. 잠가 두십시오.",
    en="Write the originals to mapping/, shard by shard, readable by you alone. Lock it away.",
)
REPORT = Message(
    ko="조각마다 report/에 파일의 어느 부분을 없애고 고치고 남겼는지 적습니다. 본인만 보십시오.",
    en="Write to report/, shard by shard, which parts of files were dropped, cleaned and kept. "
    "For you alone.",
)
SHARD_DOCUMENTS = Message(ko="한 조각의 문서 수.", en="Documents of a shard.")
SHARD_BYTES = Message(ko="한 조각의 바이트 수.", en="Bytes of a shard.")
WORKERS = Message(
    ko="작업 프로세스 수. 코어마다 하나를 쓰십시오.", en="Processes; take one a core."
)
SHARE = Message(
    ko="조각의 몫: 여러 기계에서 1/8, 2/8 …. 결과는 몇으로 나누든 같습니다.",
    en="A share of the shards, one a machine: 1/8, 2/8 …. The results are the same for any number.",
)
SYSTEM = Message(ko="작업을 나누어 줄 것.", en="What starts the tasks.")
TASKS = Message(ko="작업(배열 칸, 파드)의 수.", en="Tasks of the array, or pods.")
IMAGE = Message(
    ko="thunder-deid가 설치된 이미지(Kubernetes).", en="An image with thunder-deid (Kubernetes)."
)
CLAIM = Message(
    ko="입력과 실행 폴더가 있는 볼륨 클레임(Kubernetes).",
    en="The volume claim with input and run (Kubernetes).",
)
MOUNT = Message(
    ko="그 볼륨을 붙일 곳. 계획할 때와 같은 경로라야 합니다.",
    en="Where it is mounted: paths have to be those of the plan.",
)
POD = Message(
    ko="kubernetes에는 --image, --claim, --mount를 주십시오",
    en="kubernetes needs --image, --claim and --mount",
)
RAY = Message(
    ko="이 Ray 클러스터에서(auto: 이 기계의 것). 추가 기능 ray가 있어야 합니다.",
    en="On this Ray cluster (auto: this machine's). Needs the extra ray.",
)
GPUS = Message(
    ko="프로세스 하나가 쓸 GPU의 몫(Ray, torch 모델).",
    en="The share of a GPU a process takes (Ray, models of torch).",
)
METRICS = Message(
    ko="진행 상황을 Prometheus 형식으로 적을 파일. 글과 이름은 없습니다.",
    en="A file for the state as Prometheus reads it; no text, no names.",
)
JSON = Message(ko="사람 대신 프로그램이 읽게 JSON으로.", en="As JSON, for programs.")

NOT_THERE = Message(
    ko="{path}: 없습니다: 경로를 확인하십시오", en="{path}: not there: check the path"
)
BAD_SHARE = Message(
    ko="'{given}': 1/8처럼 주십시오(앞의 수는 1부터 뒤의 수까지)",
    en="'{given}': give it as 1/8, the first number from 1 to the second",
)
TORCH = Message(
    ko="torch 모델은 프로세스 하나만 씁니다: --workers 1",
    en="a model of torch runs in one process: --workers 1",
)
PLANNED = Message(
    ko="문서 {rows:,}건을 조각 {shards:,}개로 나누었습니다. 다음: thunder bulk run {folder}",
    en="{rows:,} documents in {shards:,} shards. Next: thunder bulk run {folder}",
)
PLANNING = Message(ko="{size:.1f} GB를 읽었습니다", en="{size:.1f} GB read")
SKIPPED = Message(
    ko="읽지 않는 파일을 지나쳤습니다: {kinds}",
    en="Files that are not read were passed over: {kinds}",
)
SO_FAR = Message(
    ko="조각 {shards_done:,}/{shards:,}, 문서 {rows_done:,}/{rows:,}, 남겨 둔 문서 {dead:,}, "
    "{core_hours:.3g} 코어시간",
    en="shards {shards_done:,}/{shards:,}, documents {rows_done:,}/{rows:,}, dead {dead:,}, "
    "{core_hours:.3g} core-hours",
)
RATE = Message(
    ko=", 초당 {rate:.1f}건, 끝까지 {left}, 모두 {all:.3g} 코어시간",
    en=", {rate:.1f} documents a second, {left} to go, {all:.3g} core-hours in all",
)
DEAD = Message(
    ko="{dead:,}건은 처리하지 못해 결과에 넣지 않았습니다: {folder}의 dead/에 까닭이 있고, 고친 뒤 "
    "thunder bulk replay로 다시 합니다.",
    en="{dead:,} failed and were held back: dead/ in {folder} says why; thunder bulk replay does "
    "them again.",
)
NOTICED = Message(
    ko="사람이 볼 것이 {count:,}가지 있습니다: {folder}의 notices/",
    en="{count:,} things for a person to look at: notices/ in {folder}",
)
POISONED = Message(
    ko="작업 프로세스를 끝낸 문서 {count:,}건을 가려냈습니다.",
    en="{count:,} documents that kill their process were set apart.",
)
STOPPED = Message(
    ko="중단했습니다. 같은 명령으로 이어 갑니다.",
    en="Interrupted. The same command goes on.",
)
REPLAYED = Message(
    ko="남겨 둔 문서가 있던 조각 {count:,}개를 다시 합니다.",
    en="{count:,} shards with dead letters are done again.",
)
SAMPLE = Message(
    ko="견줄 조각의 수(고르게 뽑음). 없으면 모두.",
    en="Shards to compare, spread evenly; all of them without it.",
)
COMPARED = Message(
    ko="조각 {shards:,}개의 문서 {documents:,}건 가운데 {other:,}건이 달라집니다.",
    en="{other:,} of {documents:,} documents in {shards:,} shards would be other.",
)
CHANGES = Message(
    ko="더해진 문서 {added:,}건, 바뀐 문서 {changed:,}건, 빠진 문서 {withdrawn:,}건, 다시 할 표의 "
    "행 {rows:,}개. 다음: thunder bulk run {folder}",
    en="{added:,} documents added, {changed:,} changed, {withdrawn:,} withdrawn, {rows:,} rows of "
    "tables to be done again. Next: thunder bulk run {folder}",
)
CHANGED = Message(
    ko="입력이 바뀌었습니다: 더해진 문서 {added:,}건, 바뀐 문서 {changed:,}건, 빠진 문서 "
    "{withdrawn:,}건, 다시 할 표의 행 {rows:,}개",
    en="The input has changed: {added:,} documents added, {changed:,} changed, {withdrawn:,} "
    "withdrawn, {rows:,} rows of tables to be done again",
)
NO_CHANGES = Message(ko="입력이 그대로입니다.", en="The input is as it was.")
VERIFIED = Message(
    ko="조각 {shards:,}개, 결과 {out:,}건, 남겨 둔 문서 {dead:,}건: 계획과 꼭 같습니다.",
    en="{shards:,} shards, {out:,} documents out, {dead:,} dead: exactly what was planned.",
)
WRONG = Message(ko="맞지 않는 곳이 {wrong:,}곳 있습니다.", en="{wrong:,} things do not fit.")
