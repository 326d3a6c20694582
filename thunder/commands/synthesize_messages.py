"""What ``thunder synthesize`` says to people, in Korean and in English."""

from thunder.settings.messages import Message

FAILED = Message(ko="오류: {problem}", en="Error: {problem}")
ASKED = Message(
    ko="모델 {model} (형식: {structured}): 물은 것 {requests:,}건, 물음 {prompts:,}토큰, "
    "대답 {answers:,}토큰",
    en="Model {model} (form: {structured}): {requests:,} requests, {prompts:,} tokens asked, "
    "{answers:,} answered",
)
TEXTS = Message(
    ko="{domain}: 글 {number:,}편. 서로 다른 두 낱말 {bigrams}, Self-BLEU {bleu}, "
    "가장 되풀이된 여덟 낱말 {passage}",
    en="{domain}: {number:,} texts. Distinct bigrams {bigrams}, Self-BLEU {bleu}, "
    "most repeated passage of eight words {passage}",
)
DENSITY = Message(
    ko="{step}: 글마다 표시 {density:.2f}개, 앞 표시가 남은 비율 {survival}",
    en="{step}: {density:.2f} marks a text, marks that survived {survival}",
)
DROPPED = Message(
    ko="버린 대답: {step}: {reason} {number:,}건", en="Dropped: {step}: {reason} {number:,}"
)
GIVEN_UP = Message(
    ko="{step}: 대답을 하나도 쓰지 못한 글 {number:,}편",
    en="{step}: {number:,} texts had no answer that could be taken",
)
DOUBTFUL = Message(
    ko="태거가 찾지 못한 표시가 있어 읽어 보아야 할 글 {number:,}편 (texts.jsonl의 unfound)",
    en="{number:,} texts have marks that the tagger does not find: read them (unfound in "
    "texts.jsonl)",
)
WRITTEN = Message(
    ko="{folder}: 글 {number:,}편을 썼습니다. 쉰 편은 사람이 읽어 보십시오.",
    en="{folder}: {number:,} texts written. Have a person read fifty of them.",
)
PROPOSED = Message(
    ko="{folder}: 라벨 {number:,}개를 제안합니다. proposals.sh에서 쓸 만한 줄의 '# '을 지우고 "
    "돌린 뒤, proposals.jsonl을 'thunder lists import'로 들이고 'thunder lists check'를 하십시오.",
    en="{folder}: {number:,} labels proposed. Take '# ' from the lines of proposals.sh that are "
    "good and run it, then 'thunder lists import' proposals.jsonl and 'thunder lists check'.",
)
WAITING = Message(
    ko="{folder}: 물음 {number:,}건을 requests-*.jsonl {files:,}개에 썼습니다. 대답을 "
    "answers-*.jsonl로 두고 같은 명령을 다시 하십시오.",
    en="{folder}: {number:,} requests written to requests-*.jsonl ({files:,} files). Put the "
    "answers there as answers-*.jsonl and run the same command again.",
)
NOTHING = Message(
    ko="{folder}: 쓸 만한 글이 없습니다. dropped.jsonl에 까닭이 있습니다.",
    en="{folder}: no text could be taken; dropped.jsonl says why.",
)
