"""XML read for its places: names, texts, edits; what is hostile is refused."""

from itertools import pairwise

import pytest

from thunder.documents.markup import Edit, Markup, What, decoded, edited, places
from thunder.documents.segments import Refused


def _texts(xml: str) -> list[tuple[str, str]]:
    markup = Markup("p", xml.encode(), {"urn:a": "a"})
    kinds = (What.TEXT, What.CDATA)
    return [(t.name, markup.text(t)) for t in markup.tokens() if t.what in kinds]


@pytest.mark.parametrize(
    ("xml", "texts"),
    [
        ("<a>가</a>", [("a", "가")]),
        ("\ufeff<a>가</a>", [("a", "가")]),
        ("<?xml version='1.0'?><!-- > --><a><b x='>'/>나</a>", [("a", "나")]),
        ("<a>&lt;&#xAC00;&#44032;&amp;</a>", [("a", "<가가&")]),
        ("<a><![CDATA[<나>&amp;]]>다</a>", [("a", "<나>&amp;"), ("a", "다")]),
        ('<x:a xmlns:x="urn:a">1<x:b/>2</x:a>', [("a:a", "1"), ("a:a", "2")]),
        ('<a xmlns="urn:a">1<b xmlns="">2</b>3</a>', [("a:a", "1"), ("b", "2"), ("a:a", "3")]),
        ('<x:a xmlns:x="urn:other">1</x:a>', [("?x:a", "1")]),
        ("<a>1\r\n2</a>", [("a", "1\n2")]),
    ],
)
def test_texts_and_the_elements_they_stand_in(xml, texts):
    assert _texts(xml) == texts


def test_attributes_and_where_their_values_stand():
    data = '<a xmlns:q="urn:a" b="1 &gt; 0" q:c = \'"가"\'/>'.encode()
    markup = Markup("p", data, {"urn:a": "x"})
    token = next(markup.tokens())
    walk = markup.tokens()
    token = next(walk)
    found = {a.name: (a.value, data[a.value_start : a.value_end]) for a in markup.attributes(token)}
    assert found["b"] == ("1 > 0", b"1 &gt; 0")
    assert found["x:c"] == ('"가"', '"가"'.encode())


@pytest.mark.parametrize("raw", ["김도윤", "&lt;김&#xB3C4;&#50980;", "김\r\n도&amp;윤", "a&quot;b"])
def test_each_character_is_found_where_it_stands(raw):
    data = f"<a>{raw}</a>".encode()
    start, end = 3, len(data) - 4
    text = decoded(data[start:end])
    found = places(data, start, end, range(len(text) + 1))
    assert found[0] == start and found[-1] == end
    said = [decoded(data[a:b]) for a, b in pairwise(found)]
    assert "".join(said) == text and all(len(one) == 1 for one in said)


def test_what_looks_like_a_reference_is_none_in_a_cdata():
    data = "김&amp;\r\n윤".encode()
    assert places(data, 0, len(data), [1, 6, 7], is_raw=True) == [3, 8, 10]


def test_edits_inside_what_goes_are_gone():
    edits = [Edit(2, 8, b""), Edit(3, 4, b"x"), Edit(9, 9, b"+"), Edit(0, 1, b"A")]
    assert edited(b"0123456789", edits) == b"A18+9"


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b"", "깨졌습니다"),
        (b"<a>", "깨졌습니다"),
        (b"<a></b>", "깨졌습니다"),
        (b"<a>&unknown;</a>", "깨졌습니다"),
        (b"<a>\xff</a>", "깨졌습니다"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "DTD"),
        (b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', "DTD"),
        ("<a>가</a>".encode("utf-16"), "UTF-8이 아닌"),
        (b'<?xml version="1.0" encoding="EUC-KR"?><a/>', "UTF-8이 아닌"),
        (b"<a>" * 1_000_000 + b"</a>" * 1_000_000, "겹쳐"),
    ],
    ids=range(10),
)
def test_refused(xml, reason):
    with pytest.raises(Refused, match=reason):
        for _ in Markup("p", xml, {}).tokens():
            pass
