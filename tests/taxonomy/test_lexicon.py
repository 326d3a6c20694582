"""The lexicon: each list of words once, and expressions that name it."""

import pytest

from thunder.settings.yamlfile import YamlFileError
from thunder.taxonomy import lexicon
from thunder.taxonomy.lexicon import expression, legal_forms, role_groups


@pytest.mark.parametrize(
    ("written", "text", "found"),
    [
        (r"<party> ?\Z", "이 사건 공동피고인 ", "공동피고인 "),  # the longest word counts
        (r"<party>", "원고는", "원고"),
        (r"<legal-form>", "나래( 주 )", "( 주 )"),
        (r"<legal-form>", "나래유한책임회사", "유한책임회사"),
        (r"<legal-form>", "나래사회복지법인", "사회복지법인"),
        (r"<legal-form>", "나래복지법인", None),  # a form only where it stands apart
        (r"<legal-form>", "나래감정평가법인", "감정평가법인"),
        (r"(?P<party>나래) <party>", "나래 증인", "나래 증인"),  # a group is no class
    ],
)
def test_an_expression_names_lists_of_the_lexicon(written, text, found):
    match = expression(written).search(text)
    assert (match and match[0]) == found


def test_every_legal_form_has_a_label():
    assert legal_forms()["㈜"] == legal_forms()["주식회사"] == "주식회사"
    assert legal_forms()["특허법인"] == "법무법인"


def test_groups_of_roles_are_classes():
    assert "원고" in lexicon.classes_of(None)["party"]
    assert set(role_groups()) <= set(lexicon.classes_of(None))


def test_a_class_that_is_missing_is_named():
    with pytest.raises(KeyError, match="no class <no-such-class>"):
        expression("<no-such-class> 나래").search("")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("[계좌~번호]", ("계좌번호", "계좌 번호")),
        ("[주민~등록~번호]", ("주민등록번호", "주민등록 번호", "주민 등록번호", "주민 등록 번호")),
    ],
)
def test_a_word_of_a_class_may_have_a_space_or_none(tmp_path, written, words):
    (tmp_path / "classes.yaml").write_text(f"number: {written}\n", "utf-8")
    assert lexicon.classes_of(tmp_path)["number"] == words


def test_a_word_that_another_spelling_holds_is_refused_with_its_line(tmp_path):
    (tmp_path / "classes.yaml").write_text("number: [계좌~번호,\n  계좌 번호]\n", "utf-8")
    with pytest.raises(YamlFileError, match="2: '계좌 번호' stands twice in <number>"):
        lexicon.classes_of(tmp_path)


def test_a_group_of_labels_names_them_by_id():
    groups = lexicon.label_groups("placeholder_labels")
    assert "은행" in groups["body"]
    assert not groups["body"] & groups["no-body"]
