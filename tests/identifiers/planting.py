"""Invented sentences of judgments with invented identifiers in them, disguised as people do."""

import re
import unicodedata
from random import Random
from typing import NamedTuple

# Sentences by recogniser, {} where the identifier goes. Each also holds look-alikes that must
# stay: case numbers, articles, dates, times, sums, exhibits, measures. A cue stands before the
# identifier where its recogniser needs one.
CARRIERS: dict[str, tuple[str, ...]] = {
    "resident": (
        "피고인 홍길동({})은 2019. 3. 5. 02:10경 위 식당에서 5,000만 원을 가로챘다.",
        "2019고단2100 사건의 피고인(주민등록번호 {}, 무직)에게 형법 제347조 제1항을 적용한다.",
        "갑 제1호증의 2에 적힌 성춘향의 인적사항은 {}로서 등기부의 기재와 다르다.",
        "원고는 2020가합512345 사건에서 변사또 {}을(를) 상대로 1,234,567원을 청구하였다.",
    ),
    "foreigner": (
        "중국 국적의 왕소룡({})은 2018. 11. 30. 체류기간이 끝났다.",
        "출입국관리법 제46조 제1항에 따라 외국인등록번호 {}인 피고인을 2019노2100호로 기소하였다.",
        "피고인의 동생({})은 갑 제3호증의 1을 위조하여 300만 원을 받았다.",
    ),
    "passport": (
        "피고인은 2017. 2. 10. 위조된 여권(여권번호 {})을 제시하였다.",
        "여권법 제24조를 위반하여 여권번호 {}인 여권을 150만 원에 샀다(2018고단33).",
        "압수된 증 제2호인 여권은 번호가 {}이고 2021. 5. 9. 발급되었다.",
    ),
    "licence": (
        "피고인은 2020. 1. 1. 자동차운전면허({})가 취소되었는데도 15km를 운전하였다.",
        "도로교통법 제152조 제1호를 어긴 피고인의 운전면허번호는 {}이다(2019고정12).",
        "을 제2호증에 따르면 면허번호 {}의 갱신 기한은 2022. 12. 31.이다.",
    ),
    "business": (
        "한빛상사(사업자등록번호 {})는 2016. 7. 1. 개업하여 12,340,000원을 신고하였다.",
        "부가가치세법 제8조에 따라 나래유통 {} 명의로 세금계산서 123매를 발급하였다.",
        "피고인은 상호를 ‘가온식품’, 등록번호를 {}로 하여 2018. 4.경 등록하였다.",
    ),
    "corporation": (
        "주식회사 한빛물산({})은 2015. 6. 1. 자본금 5,000만 원으로 설립되었다.",
        "상법 제317조에 따라 법인등록번호 {}인 회사의 주식 3,000주를 양수하였다(갑 제4호증).",
        "재단법인 새롬의 등록번호는 {}이고 본점은 2019. 8. 20. 옮겨졌다.",
    ),
    "phone": (
        "피고인은 2019. 3. 5. 13:20경 {}로 전화하여 300만 원을 요구하였다.",
        "전기통신사업법 제32조의4를 어기고 개통한 휴대전화 {}를 20만 원에 넘겼다(2020고단77).",
        "갑 제5호증의 1, 2에 적힌 연락처는 {}이고 발신 시각은 02:00경이다.",
    ),
    "account": (
        "피해자는 2019. 12. 8.경 피고인 명의의 농협 계좌({})로 1,500만 원을 송금하였다.",
        "피고인은 홍길동 명의 국민은행 계좌(계좌번호: {})로 5. 29.경 800,000원을 입금받았다.",
        "전자금융거래법 제6조 제3항을 위반하여 계좌번호 {}의 통장을 건넸다(2018노456).",
    ),
    "card": (
        "피고인은 훔친 신용카드({})로 2020. 3.경 45,000원을 결제하였다.",
        "여신전문금융업법 제70조 제1항 제3호의 카드번호 {}는 증 제3호에 적혀 있다.",
        "주운 체크카드 {}를 이용하여 02:30경 1,234,567원을 인출하였다(2021고단5).",
    ),
    "plate": (
        "피고인은 2019. 3. 5. 22:40경 {} 승용차를 운전하여 2km를 진행하였다.",
        "자동차관리법 제81조를 어기고 {} 화물차의 번호판을 30만 원에 팔았다(2019노2100).",
        "갑 제2호증에 적힌 차량번호는 {}이고 주행거리는 12,345km이다.",
    ),
    "email": (
        "피고인은 2019. 3. 5. {}로 계약서를 보내고 300만 원을 받았다.",
        "갑 제3호증의 1에 적힌 이메일 주소 {}는 2018고단12 사건과 같다.",
        "정보통신망법 제49조를 어기고 ‘{}’의 비밀을 02:00경 알아냈다.",
    ),
    "url": (
        "피고인은 2019. 3. 5. 인터넷 사이트({})에 글을 올려 300만 원을 받았다.",
        "성폭력처벌법 제14조 제2항의 영상을 {} 에 올렸다(2020고합31).",
        "갑 제3호증의 1에 적힌 주소는 {} 이고 접속 시각은 02:00경이다.",
    ),
    "age": (
        "피고인은 2019. 3. 5. 02:00경 피해자(여, {}세)를 만나 300만 원을 빌렸다.",
        "형법 제298조의 피해자({}세)는 2020고합31 사건의 증인이다.",
        "성춘향(여, {}세)은 갑 제1호증의 2를 제출하였다.",
    ),
    "user_id": (
        "피고인은 2019. 3. 5. 아이디 ‘{}’로 접속하여 300만 원을 받았다.",
        "정보통신망법 제49조의 텔레그램 아이디 ‘{}’를 쓴 사람은 갑 제3호증에 나온다(2020고합31).",
        "2018. 4.경 네이버 아이디({})를 20만 원에 사서 12,345명에게 쪽지를 보냈다.",
    ),
    "wallet": (
        "피고인은 2019. 3. 5. 비트코인 지갑주소 {}로 3,000만 원 상당을 보냈다.",
        "특정금융정보법 제7조의 가상자산 지갑({})은 갑 제3호증에 나온다(2020고합31).",
        "피해자는 02:00경 이더리움 1.25개를 전자지갑 주소 {}로 전송하였다(2021고단5).",
    ),
    "patent": (
        "원고는 2019. 3. 5. 국제공개공보 {}에 실린 발명을 3,000만 원에 샀다.",
        "특허법 제199조의 국제출원({})은 갑 제3호증에 나온다(2020허31).",
        "선행발명은 {}로 공개되었고 두께는 12.5mm이다.",
    ),
    "military": (
        "피고인은 군번 {}로 2019. 3. 5. 입대하여 300만 원을 받았다.",
        "군형법 제30조의 피고인(군번: {})은 갑 제3호증에 나온다(2020고합31).",
        "2011. 2. 1. 임관한 홍길동의 군번은 {}이고 연금은 1,234,560원이다.",
    ),
    "vessel": (
        "피고인은 2019. 3. 5. 선박번호 {}인 배를 3,000만 원에 샀다.",
        "선박법 제8조의 선박(선박번호 {})은 갑 제3호증에 나온다(2020고합31).",
        "총톤수 7.93톤, 길이 12.5m인 어선(어선번호 {})을 2016. 4.경 샀다.",
    ),
    "postcode": (
        "피고인은 2019. 3. 5. 우편번호 {}로 물건을 보내고 300만 원을 받았다.",
        "민사소송법 제187조에 따라 (우편번호 {})로 보낸 우편물은 갑 제3호증이다(2020고합31).",
        "등기우편 요금 3,500원, 우편번호는 {}, 발송 시각은 10:30이다.",
    ),
    "birth_date": (
        "피고인 홍길동({}생)은 2019. 3. 5. 02:00경 300만 원을 받았다.",
        "형법 제347조의 피고인은 생년월일이 {}이고 갑 제3호증에 나온다(2020고합31).",
        "망 성춘향({}생)은 2018. 9. 8. 사망하여 12,000,000원이 상속되었다.",
    ),
    "address": (
        "피고인은 2019. 3. 5. 02:00경 서울 강남구 {}에서 300만 원을 훔쳤다.",
        "형법 제329조의 장소인 경기 양평군 {}에 관하여는 갑 제3호증이 있다(2020고합31).",
        "부산 해운대구 {}에 있는 84.97㎡를 2017. 2. 10. 3억 원에 샀다.",
    ),
    "unit": (
        "피고인은 2019. 3. 5. 02:00경 한빛아파트 {}에서 300만 원을 훔쳤다.",
        "형법 제329조의 장소인 나래빌라 {}에 관하여는 갑 제3호증이 있다(2020고합31).",
        "해담오피스텔 {}의 보증금은 5,000만 원이고 면적은 84.97㎡이다.",
    ),
    "codes": (
        "피고인은 2019. 3. 5. 02:10경 물리주소 {}인 노트북으로 300만 원을 받았다.",
        "정보통신망법 제48조의 공유기에 남은 {}는 갑 제3호증에 나온다(2020고합31).",
    ),
    "spelled": (
        "피고인은 2019. 3. 5. 02:10경 자기 수번이 “{}”라고 하며 300만 원을 달라고 하였다.",
        "형법 제347조의 광고에는 계좌번호 “{}”라고 적혀 있다(2020고합31).",
    ),
}

# Identifiers made of letters lose their meaning with odd spaces or line breaks inside.
_LETTERED = frozenset({"email", "url", "user_id", "wallet", "patent", "codes", "spelled"})
# Of some identifiers only a part is marked: 101동 1203호 → 101 and 1203.
_MARKED = {
    "unit": re.compile(r"(?:제\s?)?(?P<part>[^\s동호,](?:[^동호,]*[^\s동호,])?)\s*(?:동|호)")
}
_HYPHENS = "‐‑–—−ー\u3161"
_SPACES = "\u00a0\u3000 "
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_WIDE = {code: code + 0xFEE0 for code in map(ord, "0123456789")}


class Planted(NamedTuple):
    """A sentence with one identifier, and the stretches of it that are to be found."""

    text: str
    stretches: tuple[tuple[int, int], ...]


def full_width(rng: Random, identifier: str) -> str:
    """Return the identifier with full-width digits, at times with a full-width hyphen too."""
    return identifier.translate({**_WIDE, ord("-"): rng.choice("-－")})


def zero_width(rng: Random, identifier: str) -> str:
    """Return the identifier with characters of no width between its digits."""
    return re.sub(r"(?<=[0-9])(?=[0-9])", lambda _: rng.choice(("", *_INVISIBLE)), identifier)


def odd_hyphens(rng: Random, identifier: str) -> str:
    """Return the identifier with other dashes for its hyphens."""
    return re.sub("-", lambda _: rng.choice(_HYPHENS), identifier)


def odd_spaces(rng: Random, identifier: str) -> str:
    """Return the identifier with odd spaces around its hyphens."""
    return re.sub(" ?- ?", lambda _: f"{rng.choice(_SPACES)}-{rng.choice(_SPACES)}", identifier)


def line_break(rng: Random, identifier: str) -> str:
    """Return the identifier cut in two by the end of a line."""
    places = [match.start() for match in re.finditer(r"(?<=[0-9-])(?=[0-9-])", identifier)]
    if not places:
        return identifier
    place, end = rng.choice(places), rng.choice(("\n", "\r\n", " \n", "\n  "))
    return identifier[:place] + end + identifier[place:]


def mixed(rng: Random, identifier: str) -> str:
    """Return the identifier in several disguises at once."""
    for disguise in (odd_spaces, line_break, odd_hyphens, zero_width, full_width):
        if rng.random() < 0.5:
            identifier = disguise(rng, identifier)
    return identifier


def plain(rng: Random, identifier: str) -> str:
    """Return the identifier itself."""
    return identifier


DISGUISES = (plain, full_width, zero_width, odd_hyphens, odd_spaces, line_break, mixed)


def disguise(rng: Random, identifier: str, *, name: str) -> str:
    """Return *identifier* in a disguise that somebody may give to one of the kind *name*."""
    usable = (plain, full_width, zero_width) if name in _LETTERED else DISGUISES
    return rng.choice(usable)(rng, identifier)


def plant(rng: Random, identifier: str, *, name: str) -> Planted:
    """Return a sentence for *identifier*, as it is; every fourth one decomposed (NFD)."""
    before, _, after = rng.choice(CARRIERS[name]).partition("{}")
    decomposed = rng.random() < 0.25
    sentence, first = before + identifier + after, len(before)

    def place(offset: int) -> int:
        """Return where the character at *offset* of the identifier stands in the sentence."""
        kept = sentence[: first + offset]
        return len(unicodedata.normalize("NFD", kept) if decomposed else kept)

    stretches = tuple((place(start), place(end)) for start, end in _marked(identifier, name))
    return Planted(unicodedata.normalize("NFD", sentence) if decomposed else sentence, stretches)


def _marked(identifier: str, name: str) -> list[tuple[int, int]]:
    """Return the stretches of *identifier* that its recogniser marks: all of it, for most."""
    if name not in _MARKED:
        return [(0, len(identifier))]
    return [match.span("part") for match in _MARKED[name].finditer(identifier)]
