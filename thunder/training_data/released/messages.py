"""What is said of public data that is fetched or given, in Korean and in English."""

from thunder.settings.messages import Message

ALREADY_THERE = Message(
    ko="{folder}: 이미 있습니다. 지우거나 --output으로 다른 폴더를 주십시오. 바뀐 것은 없습니다",
    en="{folder}: already there; remove it, or give another folder: --output",
)
NOT_THERE = Message(
    ko="{place}: 그런 파일이나 폴더가 없습니다. 이름과 위치를 확인하십시오",
    en="{place}: no such file or folder",
)
OTHER_HASH = Message(
    ko="{place}: SHA-256이 {found}이고 {wanted}이 아닙니다. 다시 받거나, 새로 나온 자료이면 "
    "--sha256으로 그 값을 주십시오",
    en="{place}: its SHA-256 is {found}, not {wanted}",
)
NO_RECORD = Message(
    ko="{folder}: 'thunder data get'이 쓴 {record} 파일이 없습니다. 다시 받으십시오",
    en="{folder}: no {record} of 'thunder data get'",
)
NOT_FETCHED = Message(
    ko="{url}: 받지 못했습니다({why}). 통신망이 없으면 다른 곳에서 그 파일을 받아 "
    "--from 파일로 주십시오",
    en="{url}: cannot be fetched ({why}). Where there is no network, fetch that file elsewhere and "
    "give it: --from FILE",
)
CUT_OFF = Message(
    ko="{url}: {total:,}바이트 가운데 {done:,}바이트만 왔습니다. 다시 실행하십시오",
    en="{url}: {done:,} of {total:,} bytes came: start it again",
)
ONLY_HTTPS = Message(ko="{url}: https 주소에서만 받습니다", en="{url}: only https is fetched")
DAMAGED = Message(
    ko="{place}: 손상되었거나 잘린 파일입니다({kind}). 다시 받으십시오",
    en="{place}: damaged or cut short ({kind}): fetch it again",
)
TOO_LARGE = Message(
    ko="{place}: {inside}의 크기가 {size:,}바이트입니다. {most:,}바이트까지 읽습니다",
    en="{place}: {inside} has {size:,} bytes: {most:,} at most are read",
)
PART_MISSING = Message(
    ko="{place}: ZIP 파일이 아닙니다. 나뉜 파일 {parts}개 가운데 빠진 것이 없는지 확인하십시오",
    en="{place}: no ZIP file: of {parts} parts one may be missing",
)
HOLDS_PARTS = Message(
    ko="{place}: 나뉜 파일 {name}이(가) 들어 있습니다. 압축을 풀고 그 폴더를 주십시오",
    en="{place}: holds {name}: unpack it, and give the folder",
)
NO_JSON = Message(ko="{place}: UTF-8로 쓴 JSON이 아닙니다", en="{place}: no JSON in UTF-8")
NO_SOURCE = Message(
    ko="'{name}'이라는 자료가 없습니다. 있는 자료: {known}",
    en="no source is called '{name}'; known are {known}",
)
OTHER_SHAPE = Message(
    ko="'{shape}' 꼴의 자료가 하나도 없습니다{why}(docs/how-to/data.md 참조)",
    en="nothing in it has the shape of '{shape}'{why} (see docs/how-to/data.md)",
)
