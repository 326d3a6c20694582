"""HTML: what is read, what a mask changes, what goes, and what stays byte for byte."""

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thunder.documents import html
from thunder.documents.segments import Action, Kind, Mask, Refused

NAME = "홍길동"


def opened(source: str | bytes) -> html.HtmlDocument:
    return html.open(source if isinstance(source, bytes) else source.encode())


def texts(source: str | bytes) -> list[str]:
    return [segment.text for segment in opened(source).segments]


def read(source: str) -> str:
    """Return what is read of a page as one text."""
    return "".join(segment.text + segment.after for segment in opened(source).segments)


def masked(source: str, *, words: str = NAME, letter: str = "A", scrub: bool = True) -> str:
    document = opened(source)
    masks = [
        Mask(number, found.start(), found.end(), letter)
        for number, segment in enumerate(document.segments)
        for found in re.finditer("\n?".join(words), segment.text)
    ]
    return document.written(masks, scrub=scrub).data.decode()


# --- what is read ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("<p>피고인 홍길동은</p>", "피고인 홍길동은\n"),
        ("<p>피고인 <b>홍</b>길<i>동</i>은</p>", "피고인 홍길동은\n"),  # a name over runs
        ("<p>피고인\n   홍길동은</p>", "피고인 홍길동은\n"),
        ("<p>홍<br>길동</p>", "홍\n길동\n"),
        ("<p>&#54861;&#xAE38;&#46041; &amp; 나</p>", "홍길동 & 나\n"),
        ("<p>하나<p>둘<div>셋</div>넷", "하나\n둘\n셋\n넷\n"),
        ("<tr><td>성명<td>주소<tr><td>홍길동<td>서울", "성명\t주소\n홍길동\t서울\n"),
        (
            "<table><tr><td>가<table><tr><td>나<td>다</table>라<td>마</table>",
            "가\n나\t다\n라\t마\n",
        ),
        ("<td><p>하나</p><p>둘</p></td><td>셋</td>", "하나\n둘\t셋\n"),
        ("<pre>  앞\n\n뒤</pre>", "  앞\n\n뒤\n"),
        ("<textarea>가 <b>나</b></textarea>", "가 <b>나</b>\n"),
        ("<title>가 나</title><p>다", "가 나\n다\n"),
        ("<img alt='홍길동의 사진' title=도장>", "홍길동의 사진\n도장\n"),
        ("<input value=홍길동><input type=hidden value=숨음>", "홍길동\n"),
        ("1 < 2, 3 > 2 & 4", "1 < 2, 3 > 2 & 4\n"),
        ("<p title=it's>가</p>'<p>나", "가\nit's\n'\n나\n"),
        ("<script>가</script><style>나</style><!-- 다 --><iframe>라</iframe>마", "마\n"),
        ("<p>가<!--> 나 --!> 다<![CDATA[라]]>마</p>", "가 나 --!> 다마\n"),
    ],
)
def test_what_is_read(source, said):
    assert read(source) == said


def test_kinds():
    source = (
        "<header>머리</header><p>본문<table><caption>표 1</caption><tr><td>칸</table>"
        "<aside>주</aside><footer>꼬리</footer>"
    )
    kinds = [(segment.text, segment.kind) for segment in opened(source).segments]
    assert kinds == [
        ("머리", Kind.HEADER),
        ("본문", Kind.BODY),
        ("표 1", Kind.CAPTION),
        ("칸", Kind.CELL),
        ("주", Kind.NOTE),
        ("꼬리", Kind.FOOTER),
    ]


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("<meta charset=euc-kr>", "cp949"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=ks_c_5601-1987">', "cp949"),
        ("", "cp949"),
        ("", "utf-8"),
        ("<meta charset=euc-kr>", "utf-8"),  # it says what it is not
        ("<meta charset=utf-8>", "utf-16"),
        ("<meta charset=utf-8>", "utf-8-sig"),
    ],
)
def test_its_encoding_is_told_and_stays(head, codec):
    data = f"<html>{head}<p>똠방각하 홍길동은 서울에 산다.</p>".encode(codec)
    document = html.open(data)
    assert "똠방각하 홍길동은" in document.segments[0].text
    assert document.written([], scrub=False).data == data
    at = document.segments[0].text.index(NAME)
    new = document.written([Mask(0, at, at + 3, "A")]).data
    assert (
        new
        == data.replace(
            NAME.encode(codec.replace("16", "16-le")), "A".encode(codec.replace("16", "16-le"))
        )
        or codec == "utf-8-sig"
    )
    assert "똠방각하 A은" in html.open(new).segments[0].text


def test_a_damaged_page_is_refused():
    with pytest.raises(Refused, match="UTF-8"):
        html.open("<p>피고인 홍길동은 서울에 산다</p>".encode() + b"\xed\xb0")


# --- what a mask changes -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("<p>피고인 홍길동은</p>", "<p>피고인 A은</p>"),
        ("<p><b>홍</b>길<i>동</i>은</p>", "<p><b>A</b><i></i>은</p>"),
        ("<p>&#54861;길동은 &amp;</p>", "<p>A은 &amp;</p>"),
        ("<p>홍<br>길동</p>", "<p>A<br></p>"),
        ("<img alt=홍길동>", '<img alt="A">'),
        ("<img alt='홍길동 &amp; 나'>", "<img alt='A &amp; 나'>"),
        ("<p>다른 말, 다른 말 &lt;b&gt;", "<p>다른 말, 다른 말 &lt;b&gt;"),
    ],
)
def test_a_mask_changes_its_place_alone(source, result):
    assert masked(source) == result


def test_a_replacement_is_written_as_text():
    source = masked("<img alt=홍길동><p>홍길동</p>", letter='(가 <1> & "나" 생략)')
    assert texts(source) == ['(가 <1> & "나" 생략)'] * 2


@settings(deadline=None)
@given(st.data())
def test_any_masks_give_what_they_say(data):
    inner = st.sampled_from(
        ["가", "홍", " ", "\n", "&amp;", "&#54861;", "<b>", "</b>", "<br>", "x"]
    )
    source = "<p>" + "".join(data.draw(st.lists(inner, max_size=30))) + "<td title='나 다'>라"
    document = opened(source)
    masks = []
    for number, segment in enumerate(document.segments):
        length = len(segment.text)
        cuts = sorted(data.draw(st.sets(st.integers(0, length), max_size=4)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False):
            if not segment.text[start:end].isspace():
                masks.append(Mask(number, start, end, "(A)"))
    again = html.open(document.written(masks).data)
    expected = []
    for number, segment in enumerate(document.segments):
        text = segment.text
        for mask in [one for one in masks if one.segment == number][::-1]:
            text = text[: mask.start] + mask.replacement + text[mask.end :]
        expected.append("".join(text.split()))
    assert ["".join(one.text.split()) for one in again.segments] == expected


@settings(deadline=None)
@given(st.text("<>!-/='\"& ab\n가[]?;#x", max_size=60))
def test_whatever_it_is_it_comes_back_and_is_read_to_its_end(source):
    document = opened(source or "x")
    assert document.written([], scrub=False).data.decode() == (source or "x")
    once = document.written([]).data
    assert html.open(once).written([]).data.decode().count("<!--") == 0


# --- what goes ---------------------------------------------------------------------------------

SECRET = "비밀말씀"
PLACES = {
    "a comment": f"<!-- {SECRET} -->",
    "a conditional comment": f"<!--[if mso]><p>{SECRET}</p><![endif]-->",
    "a comment that never ends": f"<p>끝<!-- {SECRET}",
    "a processing instruction": f"<?xml-stylesheet {SECRET}?>",
    "a bogus comment": f"</ {SECRET}>",
    "CDATA": f"<![CDATA[{SECRET}]]>",
    "the doctype": f"<!DOCTYPE html SYSTEM '{SECRET}'>",
    "a script": f"<script>var a = '{SECRET}';</script>",
    "a script that never ends": f"<script>{SECRET}",
    "a frame's document": f"<iframe srcdoc='{SECRET}'>{SECRET}</iframe>",
    "an object": f"<object data='{SECRET}'><param value='{SECRET}'>{SECRET}</object>",
    "a handler": f"<p onclick='f(\"{SECRET}\")'>가</p>",
    "the author": f"<meta name=author content={SECRET}>",
    "the description": f"<meta name=description content={SECRET}>",
    "where it goes next": f"<meta http-equiv=refresh content='1;url=/{SECRET}'>",
    "a base": f"<base href='http://x/{SECRET}/'>",
    "a link": f"<a href='http://x/?q={SECRET}'>가</a>",
    "a link's address in percents": "<a href='mailto:hong@example.com'>가</a>",
    "a style sheet's address": f"<link rel=stylesheet href='/{SECRET}.css'>",
    "a picture's address": f"<img src='/home/{SECRET}/a.png' srcset='{SECRET} 2x'>",
    "a hidden value": f"<input type=hidden value={SECRET}>",
    "an option's value": f"<option value={SECRET}>가",
    "a data attribute": f"<p data-who={SECRET}>가</p>",
    "an unknown attribute's name": f"<p {SECRET}=1>가</p>",
    "a class": f"<p class={SECRET} id={SECRET}>가</p>",
    "an element's name": f"<p>가<x{SECRET}>나</x{SECRET}>",
    "an end tag's attribute": f"<p>가</p {SECRET}>",
    "a comment in a style sheet": f"<style>/* {SECRET} */ p {{ color: red }}</style>",
    "an address in a style sheet": f"<style>@import '{SECRET}'; p {{ background: url({SECRET}) }}",
    "what a style sheet adds": f"<style>p::after {{ content: '{SECRET}' }}</style>",
    "a style's variable": f"<p style='--who: {SECRET}; color: red'>가</p>",
    "a style's address": f"<p style=background:url({SECRET})>가</p>",
}


@pytest.mark.parametrize("place", PLACES)
def test_a_secret_is_in_no_place_that_is_not_read(place):
    source = f"<html><body>앞{PLACES[place]}"
    word = SECRET if SECRET in source else "hong@"
    document = opened(source)
    assert word in b"\n".join(content for _, content in document.strings()).decode()
    assert all(word not in segment.text for segment in document.segments)
    written = document.written([])
    assert word not in written.data.decode()
    assert written.scrubbed
    assert all(SECRET not in f"{one.part} {one.reason}" for one in written.scrubbed)
    assert texts(written.data) == [segment.text for segment in document.segments]


def test_layout_stays():
    source = (
        '<!DOCTYPE html>\n<html lang="ko"><head><meta charset="utf-8">'
        '<style>p { font-family: "맑은 고딕"; color: #123456 }</style></head>\n<body bgcolor=white>'
        '<table border="1" width=100%><tr><td colspan=2 style="text-align:center">가</td></tr>'
        '<a href="#b" name=b>나</a><font face="굴림체" size=2>다</font></table></body></html>'
    )
    assert opened(source).written([]).data.decode() == source


def test_pictures_inside_stay_and_are_shown_to_a_person():
    document = opened("<img src='data:image/png;base64,Ym9keQ=='>가")
    written = document.written([])
    assert b"Ym9keQ==" in written.data
    assert [one.action for one in written.scrubbed] == [Action.KEPT]
    assert ("data:1", b"body") in list(document.strings())


# --- how long it takes -------------------------------------------------------------------------


OPENINGS = """<|<!--|<!|</|<a |<a b='|<a b="|<title>|<script>|&|&#|<p a|<td>|<table>|</p|<style>--
|<style>url(|<?|=|<a =| <b>|/*|<style>/*"""


@pytest.mark.parametrize("piece", OPENINGS.split("|"))
def test_no_page_takes_more_than_linear_time(piece):
    source = piece * (100_000 // len(piece))
    begun = time.process_time()
    html.open(source.encode()).written([])
    assert time.process_time() - begun < 3


def test_damaged_pages_are_read_or_refused():
    chance = random.Random(7)
    source = b"".join(f"<p>{PLACES[place]}</p>".encode() for place in PLACES)
    for _ in range(200):
        data = bytearray(source)
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            html.open(bytes(data[: chance.randint(1, len(data))])).written([])
        except Refused as error:
            assert SECRET not in str(error)
