"""What a tagger saw gets the shape of a mention; what names nobody is none, however sure it is."""

import pytest

from thunder.masking.deidentify import deidentify
from thunder.mentions.shaping import is_cut, shaped

from ..fake_tagger import FakeTagger
from ..found_spans import ADDRESS, COMPANY, NICKNAME, PERSON, named, tagger


@pytest.mark.parametrize(
    ("sentence", "label", "score", "left"),
    [
        ("‘[달무리]’에서", COMPANY, 0.1, "달무리"),
        ("피해자 [도윤]이", PERSON, 0.1, "도윤"),
        ("위 [하늘]을 때려", PERSON, 0.1, "하늘"),
        ("[14]:30경", ADDRESS, 0.2, ""),
        ("피고인 [명의]의 계좌", COMPANY, 0.2, "명의"),  # a plain word is weighed, too
        # Spaces are no part of a mention, nor is what has no letter a mention.
        ("앞[ 달무리 ]뒤", COMPANY, 0.9, "달무리"),
        ("앞[ (]뒤", COMPANY, 0.9, ""),
        # Pieces of one word are one mention; a doubtful particle after it is none.
        ("업체 [카스][토리]식당의", COMPANY, 0.2, "카스토리"),
        ("피해자 [도윤][에게]", PERSON, 0.2, "도윤"),
        # A role word names nobody, however sure the tagger is.
        ("[피고인] 도윤은", PERSON, 0.9, ""),
        # The court rule keeps 시·도 and 시·군·구 of an address, however sure the tagger is.
        ("주거 [서울 강남구 역삼동 648-23]", ADDRESS, 0.9, "역삼동 648-23"),
        ("주거 [수원시 팔달구]에", ADDRESS, 0.9, ""),
        ("주거 [이천시가람동12외3]필지", ADDRESS, 0.9, "가람동12"),
        ("주거 [가람동 12일원] 34㎡", ADDRESS, 0.9, "가람동 12"),
        ("주거 [이천시가람동]에", "행정동", 0.9, "가람동"),
        ("마트는 [장안]읍에", "행정읍", 0.9, "장안"),
        ("부산 [사하구] 장림동", "행정동", 0.9, ""),
        ("주거 [강남구], 역삼동", ADDRESS, 0.2, ""),
        # What has no letters in a column of ordinals and days is none; nor is what stays of a flat.
        ("| 순번 | 일자 |\n| 121 | [5]/16 |", ADDRESS, 0.9, ""),
        ("| 순번 | 손님 |\n| 121 | [도윤] |", PERSON, 0.9, "도윤"),
        ("역삼빌딩 1101[호] |", ADDRESS, 0.9, ""),
        # No mention goes over the lines of a table or a family tree.
        ("[├ 장남] 도윤", PERSON, 0.9, ""),
        # What it took in before a name or behind it goes.
        ("부 도윤, [모 응우옌 티 란]이", PERSON, 0.9, "응우옌 티 란"),
        ("[로이 아버]님께", PERSON, 0.9, "로이"),
        ("통화([발신 031-123-4567])", "전화번호", 0.9, "031-123-4567"),
        # Case numbers, articles and measures stay, however sure the tagger is …
        ("상고(대법원 [2011다54321])가 기각되어", COMPANY, 0.9, ""),
        ("한빛지방법원 [2019카단]1234호", COMPANY, 0.9, ""),
        ("규약 [제27]조에 따라", COMPANY, 0.9, ""),
        # … but not what only looks like them.
        ("위 [4.19]공원역에서", COMPANY, 0.8, "4.19"),
        ("한빛요양병원 [제301호]에서", COMPANY, 0.8, "제301호"),
        # Nor is a number by which something is counted a mention.
        ("[제27]대 회장단", COMPANY, 0.9, ""),
        ("[제27대] 회장단", COMPANY, 0.9, ""),
        ("제1공시와 제[1-2]공시를", COMPANY, 0.9, ""),
        ("나래구공고 제[2011-123]호로", COMPANY, 0.9, ""),
        ("토지 [1234567]분의 89 지분", COMPANY, 0.9, ""),
        ("[제27]대대 막사에서", COMPANY, 0.9, "제27"),
        # A legal form by itself names nobody; with a name it is part of one.
        ("한빛에이 [Limited] 등에", COMPANY, 0.9, ""),
        ("원고 [주식회사]는", COMPANY, 0.9, ""),
        ("다른 [학교법인]에 처분하고", COMPANY, 0.9, ""),
        ("원고 [Hanbit Limited]는", COMPANY, 0.9, "Hanbit Limited"),
        # The head of a 시·군·구 is an office; one of the same sound as a name is a person.
        ("【피고】 [안성시장]", PERSON, 0.9, ""),
        ("【피고】 [진천군수]", PERSON, 0.9, ""),
        ("【피고】 [강원도지사]", PERSON, 0.9, ""),
        ("피해자 [김군수]가", PERSON, 0.9, "김군수"),
        # What announces a party's particulars names nobody, whole or in part.
        ("[등록기준지]  부산 해운대구", ADDRESS, 0.9, ""),
        ("[등록]기준지  부산 해운대구", ADDRESS, 0.9, ""),
        # A common noun may be what somebody is called: that is weighed.
        ("피해자 [정범]이", PERSON, 0.7, "정범"),
        ("‘한빛[안경]’에서", PERSON, 0.7, "안경"),
        ("증인 강 도 [호가] 본", PERSON, 0.9, "호가"),
        # Particles at its ends are no part of it; a name may end in the same letter.
        ("달무리[은 온누리조합]에", COMPANY, 0.9, "온누리조합"),
        ("피해자 [한빛산업의] 부장", COMPANY, 0.9, "한빛산업"),
        ("[한빛입주자대표회의] 회장", COMPANY, 0.9, "한빛입주자대표회의"),
        ("[가은 온누리조합]에", COMPANY, 0.9, "가은 온누리조합"),
        ("[한빛]건물 앞", COMPANY, 0.3, "한빛"),
        # Half a bracket, a party's role, 씨: no part of a mention.
        ("서울 강남구 [역삼동) 123-4]에", COMPANY, 0.9, "역삼동 123-4"),
        ("[(KIM CHUL SOO)]는", PERSON, 0.9, "KIM CHUL SOO"),
        ("[(주)한빛(유)]는", COMPANY, 0.9, "(주)한빛(유)"),
        ("[망고 식당]에서", COMPANY, 0.9, "망고 식당"),
        ("[망 홍길준]의", PERSON, 0.9, "홍길준"),
        ("[피고 다온영농]의", COMPANY, 0.9, "다온영농"),
        ("[원고는] 갔다", COMPANY, 0.9, ""),
        ("원고 [김씨]의 위임", PERSON, 0.9, "김"),
        ("은행 [다][온영농]에서", COMPANY, 0.9, "다온영농"),
        # Nor is an agency before it, or the beginning of the noun that says what is named.
        ("[한빛경찰서 나루]지구대에서", COMPANY, 0.9, "나루"),
        ("[한빛누리병]원의 의사", COMPANY, 0.9, "한빛누리"),
        ("[한빛누리대]학교병원에", COMPANY, 0.9, "한빛누리"),
        # Nor is what runs into it where spaces are lost: a role, the next cell of a table.
        ("[원고한빛누리]는", COMPANY, 0.9, "한빛누리"),
        ("[5,000소외 한빛누리]의", COMPANY, 0.9, "한빛누리"),
        ("소외 [홍길준원]고", PERSON, 0.9, "홍길준"),
        ("소외 [홍길준소]외", PERSON, 0.9, "홍길준"),
        ("소외 [홍길원]", PERSON, 0.9, "홍길원"),
        ("[가람동 12토지]에", ADDRESS, 0.9, "가람동 12"),
        ("[가람동 12번지로] 옮겨", ADDRESS, 0.9, "가람동 12번지"),
        ("[가람동 12 도로빌라]", ADDRESS, 0.9, "가람동 12 도로빌라"),
        # Nor is the noun of a body or place that it took in, or in which it ends.
        ("[한빛누리대학원]에서", COMPANY, 0.9, "한빛누리"),
        ("[한빛누리공익재단]에", COMPANY, 0.9, "한빛누리"),
        ("기업집단 [한빛누리 그룹]’에", COMPANY, 0.9, "한빛누리"),
        ("[한빛누리정형외과]의원의 의사", COMPANY, 0.9, "한빛누리"),
        ("[나루2구역도시환경]정비사업조합 설립", COMPANY, 0.9, "나루2구역"),
        ("[나루 한빛 시외버스]터미널에서", COMPANY, 0.9, "나루 한빛"),
        ("[한빛누리연구소]에서", COMPANY, 0.9, "한빛누리연구소"),  # firms are called so
        ("[한빛학원장학]의", COMPANY, 0.9, "한빛학원장학"),
        ("소외 [김지부]는", PERSON, 0.9, "김지부"),
        ("소외 [나 기 원은] 물론", PERSON, 0.9, "나 기 원"),
        ("소외 [나 기 은]은", PERSON, 0.9, "나 기 은"),
        ("소외 [나 기 원에] 대한", PERSON, 0.9, "나 기 원"),
        ("소외 [나 기 원에게] 준", PERSON, 0.9, "나 기 원"),
        ("소외 [나 기 도로] 바꾼", PERSON, 0.9, "나 기 도"),
        ("[한빛누리신]협’이라", COMPANY, 0.9, "한빛누리"),
        ("[한빛누리산]업은", COMPANY, 0.9, "한빛누리산업"),
        ("피해자 [김기상]가 아니라", PERSON, 0.9, "김기상"),
        # Initials that anybody uses and the number of an exhibit.
        ("회사와의 [M&]A 용역", COMPANY, 0.9, ""),
        ("‘[X-Y] 평면’을", COMPANY, 0.9, ""),
        ("상표 [X-YZ]를", COMPANY, 0.9, "X-YZ"),
        ("갑[8-19], 21호증의", COMPANY, 0.9, ""),
        ("한빛갑[8-19] 앞", COMPANY, 0.9, "8-19"),
        ("갑[8-19 한빛상사]는", COMPANY, 0.9, "8-19 한빛상사"),
        ("[갑1 한빛상사]는", COMPANY, 0.9, "갑1 한빛상사"),
        ("상표 [X]-YZ를", COMPANY, 0.9, "X"),
        ("상표 [X-Y]테크를", COMPANY, 0.9, "X-Y"),
        ("소외 [제 갈 민도]는", PERSON, 0.9, "제 갈 민도"),
        # In a table without spaces the next column begins right after the name.
        ("원고 [김도윤장]해일시금", PERSON, 0.6, "김도윤"),
        ("원고 [김도윤장해]일시금", PERSON, 0.3, "김도윤"),
        ("원고 [김도윤아름]은 물론", PERSON, 0.9, "김도윤아름"),
        ("원고 [김도윤]장해일시금", PERSON, 0.6, "김도윤"),
        # Longer names have no column behind them: a syllable is left, or 이 and a particle.
        ("피고인 [김나래솔]이는", PERSON, 0.4, "김나래솔"),
        ("피해자 [박보라미]나의", PERSON, 0.4, "박보라미"),
        ("공소외 [김세르게]이와 공모", PERSON, 0.4, "김세르게"),
        ("원고 [최다온별]이는", PERSON, 0.95, "최다온별"),
        ("원고 [김도윤나루]이 판", PERSON, 0.4, "김도윤"),
        ("소외 [김도윤증]여자 소외", PERSON, 0.4, "김도윤"),
        ("원고 [김도윤월]드의 대표", PERSON, 0.4, "김도윤"),
        ("원고 [양파랑새]의", PERSON, 0.4, "양파랑새"),
        # A court's name as a heading, its letters apart.
        ("서 [울 한 빛] 지 방 법 원", COMPANY, 0.99, ""),
        ("피 고 인 [홍 길 동]", PERSON, 0.99, "홍 길 동"),
        # Where people take part, and in small letters, no person is meant by a noun.
        ("아버지의 [고희연]에도 참석하여", PERSON, 0.7, ""),
        ("아버지의 [고희연]에 참석하여", PERSON, 0.7, ""),
        ("소외 [홍길준]에 대하여", PERSON, 0.9, "홍길준"),
        ("소외 [홍길준]에게도", PERSON, 0.9, "홍길준"),
        ("검사에서 [troponin]은 정상", PERSON, 0.7, ""),
        ("닉네임 [narae]를", NICKNAME, 0.7, "narae"),
        ("소외 [hong gildong]은", PERSON, 0.9, "hong gildong"),
        ("한빛[유령]회사를 세워", COMPANY, 0.6, "유령"),
        ("한빛 [1단지]아파트를", COMPANY, 0.3, "1단지"),
        ("위 [정승호]를", PERSON, 0.6, "정승호"),
        ("가람리([加藍里])에", PERSON, 0.15, "加藍里"),
        # No mark at its edge is part of a mention.
        ("나루[ㆍ한빛누리]의", COMPANY, 0.9, "한빛누리"),
        ("나루와 [·]", COMPANY, 0.9, ""),
        # Pieces meet at a letter after digits, a point or an ampersand as well.
        ("가게 [2000][온누리]에서", COMPANY, 0.3, "2000온누리"),
        # No mention goes on in the next cell, and the number of a row is none beside a name.
        ("| [2 | 유한회사 온누리] | 창호 |", COMPANY, 0.9, "유한회사 온누리"),
        ("| [온누리 | 다솜] | 조경 | 385,000", COMPANY, 0.9, "온누리 다솜"),
        ("| 나래 │ [010-1234-5678 │ ] 창호", "전화번호", 0.9, "010-1234-5678"),
        ("갑 제3호증, [제이].[온]이 판", COMPANY, 0.4, "제이.온"),
    ],
)
def test_what_a_tagger_saw_has_the_shape_of_a_mention_or_goes(sentence, label, score, left):
    text = sentence.replace("[", "").replace("]", "")
    found = shaped(text, [], tagger(sentence, label, score))
    assert " ".join(text[span.start : span.end].strip() for span in found) == left


def test_an_office_is_no_person_to_a_name_finder_either():
    text = "【피고】 진천군수"
    assert shaped(text, named("【피고】 [진천군수]"), []) == []


@pytest.mark.parametrize(
    ("sentence", "cut"),
    [
        ("[온누리테]크놀로지는", True),
        ("[온누리테크놀로지]는", False),
        ("[온누리테크놀로지] 대표", False),
    ],
)
def test_a_span_is_cut_where_its_word_goes_on(sentence, cut):
    text = sentence.replace("[", "").replace("]", "")
    (span,) = tagger(sentence, COMPANY)
    assert is_cut(text, span) is cut
    (other,) = named(sentence, COMPANY)
    assert not is_cut(text, other)


def test_what_the_tagger_cut_is_made_whole_from_where_it_was_seen_whole():
    text = "주식회사 도라누리마는 팔았다. 그 뒤 도라누리마가 다시 샀다."
    tagger = FakeTagger({"도라누": (COMPANY, 0.6)})
    assert deidentify(text, tagger=tagger).text == "주식회사 A는 팔았다. 그 뒤 A가 다시 샀다."


def test_a_word_that_a_tagger_took_for_a_number_is_a_name():
    (one,) = shaped("손님 소피아가", [], tagger("손님 [소피아]가", "관리번호"))
    assert one.label == NICKNAME


def test_a_piece_of_a_name_that_its_form_shows_is_that_name():
    text = "주식회사 경일스틸은 갔다. 경일스틸은 왔다."
    known = named("주식회사 [경일스틸]은", COMPANY, 0.95)
    spans = shaped(text, known, tagger("주식회사 경일스틸은 갔다. [경일]스틸은"))
    assert [(one.start, one.end, one.label) for one in spans] == [
        (5, 9, COMPANY),
        (15, 19, COMPANY),
    ]


def test_a_lot_number_is_no_plate():
    text = "위 732-147 토지"
    (found,) = shaped(text, [], tagger("위 [732-147] 토지", "차량번호", 0.9))
    assert found.label == "필지"
