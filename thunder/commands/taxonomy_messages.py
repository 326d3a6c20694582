"""What ``thunder taxonomy`` says to its user, in Korean and in English."""

from thunder.settings.messages import Message

# --- migrate --------------------------------------------------------------------------------------

LEFT = {
    "tagger": Message(
        ko="{place}: 모델은 그대로 둡니다. 라벨을 번호(id)로 알고, 기준값에 적힌 옛 이름은 읽을 때 "
        "따라갑니다.",
        en="{place}: a tagger, left whole: it knows labels by ids, and the names in its thresholds "
        "are followed when it is opened.",
    ),
    "checkpoint": Message(
        ko="{place}: 학습 중간 저장은 그대로 둡니다. 라벨을 번호(id)로 압니다.",
        en="{place}: a run's checkpoint, left whole: it knows labels by ids.",
    ),
    "dataset": Message(
        ko="{place}: 데이터셋은 그대로 둡니다. 라벨을 번호(id)로 압니다. 새로 채우려면 만들 때의 "
        "대체 목록이 있어야 합니다.",
        en="{place}: a dataset, left whole: it knows labels by ids. To draw it anew, the lists it "
        "was made with are needed.",
    ),
}
