"""ZIP containers: what is not touched stays, what is hostile or damaged is refused."""

import io
import random
import struct
import zipfile

import pytest

from thunder.documents.package import Package
from thunder.documents.segments import Refused

from .canaries import packed, parts_of

PARTS = {"mimetype": "a/b", "one.xml": "하나" * 99, "two/two.xml": "둘" * 99, "three.bin": b"\0\1"}


def test_nothing_done_gives_the_same_bytes():
    data = packed(PARTS)
    assert Package(data).written({}, bare=False) == data
    assert Package(data).written({}, bare=True) == data


def test_only_what_is_new_is_written_anew():
    data = packed(PARTS)
    old, new = Package(data), Package(Package(data).written({"one.xml": b"x"}, bare=True))
    assert parts_of(new.data) == {**parts_of(data), "one.xml": b"x"}
    for name in ("mimetype", "two/two.xml", "three.bin"):
        before, after = old.members[name], new.members[name]
        assert new.data[after.start : after.end] == data[before.start : before.end]


def test_dropped_members_are_gone():
    data = Package(packed(PARTS)).written({}, ["two/two.xml"], bare=True)
    assert list(parts_of(data)) == ["mimetype", "one.xml", "three.bin"]


def _with_secrets() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        facts = zipfile.ZipInfo("mimetype")
        facts.comment, facts.extra = b"SECRET1", b"\x99\x99\x07\0SECRET2"
        package.writestr(facts, "a/b")
        package.writestr("gone", "SECRET3")
        package.comment = b"SECRET4"
        kept = package.filelist.pop()
        package.NameToInfo.pop(kept.filename)
    return out.getvalue()


def test_what_stands_outside_the_members_goes_when_bare():
    data = _with_secrets()
    assert Package(data).written({}, bare=False) == data
    bare = Package(data).written({}, bare=True)
    assert b"SECRET" not in bare
    assert parts_of(bare) == {"mimetype": b"a/b"}


def test_sizes_that_follow_a_member_are_read():
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise OSError

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("one", "하나" * 99)
        package.writestr("two", "둘")
    data = out.getvalue()
    assert parts_of(Package(data).written({"two": b"2"}, bare=True)) == {
        "one": ("하나" * 99).encode(),
        "two": b"2",
    }


def _twice() -> bytes:
    data = packed({"a.xml": "1", "b.xml": "2"})
    return data.replace(b"b.xml", b"A.xml")


def _encrypted() -> bytes:
    data = bytearray(packed({"a.xml": "1"}))
    for at in (6, data.index(b"PK\x01\x02") + 8):
        data[at] |= 1
    return bytes(data)


def _bomb() -> bytes:
    return packed({"bomb.xml": bytes(80 << 20)})


def _overlapping() -> bytes:
    data = bytearray(packed({"a.xml": "1" * 50, "b.xml": "2"}))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    return bytes(data).replace(b"b.xml", b"a.xml", 1)


@pytest.mark.parametrize(
    ("data", "part", "reason"),
    [
        (b"", "", "ZIP이 아니거나"),
        (b"PK\x03\x04 and then nothing", "", "ZIP이 아니거나"),
        (packed(PARTS)[:-30], "", "ZIP이 아니거나"),
        (packed(PARTS)[40:], "", "적힌 자리에"),
        (packed({"../up.xml": "1"}), "../up.xml", "밖을 가리킵니다"),
        (packed({"/root.xml": "1"}), "/root.xml", "밖을 가리킵니다"),
        (packed({"a\\b.xml": "1"}), "a\\b.xml", "밖을 가리킵니다"),
        (packed({"C:/b.xml": "1"}), "C:/b.xml", "밖을 가리킵니다"),
        (_twice(), "A.xml", "둘 있습니다"),
        (_encrypted(), "a.xml", "암호"),
        (_bomb(), "bomb.xml", "압축 폭탄"),
        (packed({"a.xml": "123"}, stored=("a.xml",)).replace(b"123", b"124"), "a.xml", "검사값"),
        (packed({"a.xml": "1"}).replace(b"a.xml", b"b.xml", 1), "b.xml|a.xml", "서로 다릅니다"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_refused(data, part, reason):
    with pytest.raises(Refused, match=reason) as raised:
        Package(data)
    assert raised.value.part in part.split("|")
    assert raised.value.cure


def test_overlapping_members_are_refused():
    with pytest.raises(Refused):
        Package(_overlapping())


def test_damaged_anywhere_it_is_read_or_refused():
    rng, data = random.Random(7), packed(PARTS)
    for _ in range(400):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(data))] = rng.randrange(256)
        try:
            package = Package(bytes(damaged))
        except Refused:
            continue
        package.written(dict.fromkeys(package, b""), bare=True)
