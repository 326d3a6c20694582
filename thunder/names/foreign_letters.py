"""Names in letters that Korean is not written with: Александр Петров, สมชาย ใจดี, Nguyễn Văn Hải.

A judgment writes hardly anything else in them. Chinese characters stand in judgments for much
besides names: of them those are names that are quoted alone, said to be a name or how it is read,
or stand behind kin. Latin words without marks are read elsewhere.
"""

from collections.abc import Iterator

from thunder.text import lazy
from thunder.text.spans import Span

_LABEL, _SCORE, _SOURCE = "외국인이름", 0.99, "names:person"
_SCRIPTS = (
    "\u0400-\u052f",  # Cyrillic
    "\u0531-\u0587",  # Armenian
    "\u0590-\u06ff\u0750-\u077f",  # Hebrew, Arabic
    "\u0900-\u10ff",  # of India, Thai, Lao, Tibetan, Burmese, Georgian
    "\u1200-\u137f",  # Ethiopic
    "\u1780-\u17ff\u1820-\u18aa",  # Khmer, Mongolian
    "\u3041-\u3096\u30a1-\u30fa\u30fc\uff66-\uff9f",  # kana
)
_WORDS = lazy.compile(
    "|".join(rf"[{one}]{{2,24}}(?:[ .·・･-]{{1,2}}[{one}]{{1,24}}){{0,5}}" for one in _SCRIPTS),
    needs=f"[{''.join(_SCRIPTS)}]",
)
# Latin words, one of them with a mark that Hangul's Latin never has.
_MARK = "\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_CAPITAL = "A-Z\u00c0-\u00de\u0110\u1e00-\u1eff"
_HAS_MARK = lazy.compile(f"[{_MARK}]")
_LATIN = lazy.compile(
    rf"(?<![A-Za-z{_MARK}])[{_CAPITAL}][A-Za-z{_MARK}'-]{{1,24}}"
    rf"(?: [{_CAPITAL}][A-Za-z{_MARK}'-]{{0,24}}){{0,5}}"
)

_HANJA = "\u3400-\u9fff\uf900-\ufaff"
_SURNAMES = (  # of Koreans and Chinese, in old and in simplified letters
    "金李朴崔鄭姜趙尹張林吳韓申徐權黃安宋柳洪全高文孫梁裵裴白許南沈盧河丁郭成車朱禹具辛任羅田閔兪陳池嚴元蔡千方楊"
    "孔玄康咸卞魯廉邊呂秋都愼石薛宣周吉延表明王房潘玉奇琴陸孟印諸卓陶鞠余魚殷片龍芮慶奉夫昔太賈卜睦桂邢皮杜智甘陰賓"
    "董溫司馬景劉陈刘张杨赵吴孙马胡郑谢冯邓曹彭曾肖萧蔣蒋韦叶蘇苏卢钟姚谭邹熊陆郝邵钱毛谷顾侯龚万雷贺赖"
)
_OPEN, _CLOSE = "‘“'\"「『", "’”'\"」』"
_NO_HANJA = f"(?![{_HANJA}])"
_HAS_HANJA = lazy.compile(f"[{_HANJA}]")
_HANJA_NAMES = tuple(
    lazy.compile(one)
    for one in (
        rf"(?<=[{_OPEN}])(?P<name>[{_SURNAMES}][{_HANJA}]{{2}})(?=[{_CLOSE}]|之墓)",
        rf"(?<=[{_OPEN}])(?:[{_HANJA}]{{1,3}} ){{1,3}}"
        rf"(?P<name>[{_SURNAMES}][{_HANJA}]{{2}}|(?<=諱 )[{_HANJA}]{{1,3}})(?=[{_CLOSE}])",
        rf"(?<![{_HANJA}])(?P<name>[{_HANJA}]{{2,4}})(?=이?라는 (?:이름|성명|사람|자[^가-힣]))",
        rf"(?:배우자|남편|아내|처|아들|딸|동생|공범|동료) (?P<name>[{_HANJA}]{{3,4}}){_NO_HANJA}",
        rf"(?<![{_HANJA}])[{_HANJA}]{{2,4}} ?\( ?"
        r"(?P<name>[가-힣]{1,5}(?: [가-힣]{1,5}){0,2}?)"
        r"(?=(?:으?로|이?라고) (?:읽|발음))",
        rf"(?<![A-Za-z])(?P<name>[A-Z][a-z]{{1,14}}(?: [A-Z][a-z]{{1,14}}){{1,2}})"
        rf" ?(?:및|또는|,|/) ?(?=[{_HANJA}]{{2,4}}(?:이?라는|으?로|[은는이가을를의]))",
    )
)


def find(text: str) -> Iterator[Span]:
    """Yield each run of such letters of folded *text*, its words together."""
    for match in _WORDS.finditer(text):
        yield Span(match.start(), match.end(), _LABEL, _SCORE, _SOURCE)
    for pattern in _HANJA_NAMES if _HAS_HANJA.search(text) else ():
        for match in pattern.finditer(text):
            yield Span(match.start("name"), match.end("name"), _LABEL, _SCORE, _SOURCE)
    if _HAS_MARK.search(text):
        for match in _LATIN.finditer(text):
            if _HAS_MARK.search(match[0]):
                yield Span(match.start(), match.end(), _LABEL, _SCORE, _SOURCE)
