"""Where labels leak, in words for those who may read them."""

from thunder.scoring import worst
from thunder.scoring.documents import Prediction, gold_of
from thunder.scoring.evaluation import evaluate
from thunder.text.spans import Span


def contexts(text, gold, said, known, tokenizer):
    found = evaluate(
        [gold_of("사건 1", "", text, gold)],
        {"ours": {"a": {"사건 1": Prediction("사건 1", tuple(said), (), True)}}},
        tokenizer=tokenizer,
        taxonomy=known,
    )
    return list(worst.contexts(found, top=5))


def test_what_is_masked_of_a_leaking_mention_is_not_shown(known, tokenizer):
    text = "피고인은\n\n    새봄동 12에 갔다."
    start = text.index("새봄동")
    gold = [Span(start, start + 6, "구아래주소")]
    (one,) = contexts(text, gold, [Span(start, start + 3, "행정동")], known, tokenizer)
    assert (one.kind, one.label, one.number) == ("leaks", "구아래주소", 1)
    assert one.words == "피고인은 / [■■■ 12]에 갔다."


def test_one_wording_is_shown_once_and_the_worst_label_first(known, tokenizer, find):
    text = "홍길동이 은행에 갔다. 홍길동은 한빛은행에서 김갑순을 보았다. 홍길동은 갔다."
    gold = find(text, ("홍길동", "내국인이름"), ("김갑순", "내국인이름"), ("한빛", "은행"))
    beside = Span(text.index("은행"), text.index("은행") + 2, "은행")
    found = contexts(text, gold, [beside], known, tokenizer)
    shown = [(one.kind, one.label, one.number) for one in found]
    assert shown == [
        ("leaks", "내국인이름", 4),
        ("leaks", "내국인이름", 4),
        ("leaks", "은행", 1),
        ("over-masked", "은행", 1),
    ]
    assert "[홍길동]" in found[0].words and "[김갑순]" in found[1].words


def test_a_name_masked_on_both_sides_of_a_bracket_leaks_nothing(known, tokenizer):
    text = "공소외 홍길동(洪吉童)이 갔다."
    gold = [Span(4, 12, "내국인이름")]
    said = [Span(4, 7, "내국인이름"), Span(8, 11, "내국인이름")]
    assert contexts(text, gold, said, known, tokenizer) == []
