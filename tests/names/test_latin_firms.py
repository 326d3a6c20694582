"""Firms in Latin letters, by legal form, by a noun before and by what is given to them."""

import pytest

from thunder.names import latin_firms

FIRMS = [
    ("내국법인이고, [Hanbit Gate] Company Limited(이하 ‘HGC’)는", True),
    ("투자회사 [NARAE HBC Ventures] Co., Ltd.에 팔았다", True),
    ("주주 12.34  [Hanbit] Corp  1,234,567", True),
    ("외국에 있는 [MARU HANBIT] LTD가", True),
    ("‘한빛’([Hanbit] Inc.) 등으로", True),
    ("소외 [HaruNet] Pte. Ltd에", True),
    ("싱가포르의 [Narae MRD] Pte Ltd에", True),
    ("독일 [Narae ＆ Maru Trading] GmbH(2001. 2. 3.)", True),
    ("벨기에 법인인 [Narae Maru Holdings] N.V.를 설립", True),
    ("룩셈부르크 법인인 [Narae Maru] S.A.R.L을 설립", True),
    ("[NARAE SHIPPING] CO.,LTD.로부터", True),
    ("스웨덴 법인 [HNB Holdings] AB가", True),
    ("통신회사인 [HBT MaruTel]의 신용", True),
    ("법인인 [Hanbit Partners Ltd]. HK(이하", False),  # the form stays outside
    ("(이하 ‘HBT’)의 자회사 [MaruTel hanbitTouch](이하", True),
    ("지분 10%를 [HB Technologies](이하 ‘HBT’)에게 양도", True),
    ("외국의 [Maru-Tek](이하 ’MT‘)의 경영권", True),
    ("서류상 회사(Paper Company)에 불과하고, Special Purpose Corporation도", True),
    (
        "MAY NOT BE SHOWN TO ANYBODY WITHOUT THE CONSENT [OF ALL THE LAWYERS OF NARAE MARU HANBIT]"
        " INC.는",
        True,
    ),
    ("Narae v. Hanbit Marine, Inc., 123 F.2d 456", True),
    ("Hanbit, Inc. v. Narae, 12 F.2d 34", True),
    ("Model Business Corporation Act에 따라", True),
    ("한국전력공사(Korea Electric Power Corporation)는", True),
    ("회사인 A는 주주 B와", True),
    ("위치정보(Global Positioning System, 이하 ‘GPS’)를", True),
    ("원료인 Maru plastic powder(이하 ‘분말’)의 수입", True),
    ("협력회사인 OOOO 소속", True),
]


@pytest.mark.parametrize(("expected", "holds"), FIRMS)
def test_which_latin_words_name_a_firm(expected, holds):
    text = expected.replace("[", "").replace("]", "")
    shown = text
    for start, end in sorted({(s.start, s.end) for s in latin_firms.find(text)}, reverse=True):
        shown = f"{shown[:start]}[{shown[start:end]}]{shown[end:]}"
    assert (shown == expected) is holds
