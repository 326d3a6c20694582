"""Compound files: what is read and written again, and what is refused."""

import random
import struct
import time

import pytest

from thunder.documents.compound import Compound, Storage
from thunder.documents.segments import Refused

SMALL = Compound(
    {
        "FileHeader": b"head" * 64,
        "BodyText/Section0": b"s" * 5000,
        "BodyText/Section1": b"t" * 4095,
        "BodyText/Section2": b"u" * 4096,
        "BinData/Deeper/BIN0001.png": bytes(100),
        "Empty": b"",
        "한글 이름": b"x",
    },
    {"": Storage(b"c" * 16, 5), "BodyText": Storage(), "Nothing": Storage(b"d" * 16)},
)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 8, 31, 100])
def test_streams_come_back_as_they_were_written(count):
    streams = {f"Storage{n % 5}/Stream{n}": bytes([n]) * (n * 997 % 9000) for n in range(count)}
    assert Compound.read(Compound(streams, {}).written()).streams == streams


def test_storages_come_back_with_what_they_say():
    read = Compound.read(SMALL.written())
    assert read.streams == SMALL.streams
    assert read.storages == SMALL.storages | {"BinData": Storage(), "BinData/Deeper": Storage()}


def test_another_reader_finds_the_same(tmp_path):
    olefile = pytest.importorskip("olefile", reason="olefile reads compound files on its own")
    path = tmp_path / "file"
    large = {"Large": random.Random(1).randbytes(9_000_000)}  # its table needs a table of its own
    path.write_bytes(Compound(SMALL.streams | large, SMALL.storages).written())
    with olefile.OleFileIO(str(path), raise_defects=olefile.DEFECT_UNSURE) as file:
        found = {"/".join(name): file.openstream(name).read() for name in file.listdir()}
        assert not file.parsing_issues
    assert found == SMALL.streams | large


def test_the_tree_of_names_is_a_red_black_tree():
    for count in range(1, 70):
        data = Compound({f"{n:03}": b"" for n in range(count)}, {}).written()
        first = struct.unpack_from("<I", data, 48)[0]
        at = 512 * (first + 1)

        def blacks(number, at=at, data=data):
            if number == 0xFFFFFFFF:
                return 1
            is_black = data[at + 128 * number + 67]
            below = struct.unpack_from("<II", data, at + 128 * number + 68)
            counts = {blacks(one) for one in below}
            assert len(counts) == 1
            if not is_black:
                assert all(one == 0xFFFFFFFF or data[at + 128 * one + 67] for one in below), (
                    "a red node has a red child"
                )
            return counts.pop() + is_black

        blacks(struct.unpack_from("<I", data, at + 76)[0])


def test_nothing_of_the_old_file_is_left_outside_the_streams():
    secret = b"SECRET-IN-SLACK!"
    data = bytearray(SMALL.written())
    data += secret * 32  # a sector that no stream has
    place = data.index(b"s" * 5000) + 5000
    data[place : place + 16] = secret  # behind a stream's end, in its last sector
    again = Compound.read(bytes(data)).written()
    assert secret in data
    assert secret not in again
    assert again == SMALL.written()


def _changed(at: int, value: int, size: str = "<I") -> bytes:
    data = bytearray(SMALL.written())
    struct.pack_into(size, data, at, value)
    return bytes(data)


def _fat() -> int:
    return 512 * (struct.unpack_from("<I", SMALL.written(), 76)[0] + 1)


def _first_large() -> int:
    return SMALL.written().index(b"s" * 5000) // 512 - 1


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("nothing", b""),
        ("another format", b"PK" + bytes(600)),
        ("a header alone", SMALL.written()[:512]),
        ("cut short", SMALL.written()[:-3000]),
        ("an unknown version", _changed(26, 9, "<H")),
        ("a chain in a circle", _changed(_fat() + 4 * _first_large(), _first_large())),
        ("a chain that ends early", _changed(_fat() + 4 * _first_large(), 0xFFFFFFFE)),
        ("a chain out of the file", _changed(_fat() + 4 * _first_large(), 0x00FFFFFF)),
        ("a directory out of the file", _changed(48, 0x00FFFFFF)),
        ("an absurd count of tables", _changed(44, 0x7FFFFFFF)),
        ("a table listed out of the file", _changed(76, 0x00FFFFFF)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damage_is_refused_with_a_cure(what, data):
    with pytest.raises(Refused, match="복합 파일") as refusal:
        Compound.read(data)
    assert refusal.value.cure


def test_damage_at_random_places_never_hangs_nor_fails_otherwise():
    rng, whole, began = random.Random(7), SMALL.written(), time.monotonic()
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.choice([0, 1, 2, 254, 255])
        try:
            read = Compound.read(bytes(data[: rng.choice([len(data), rng.randrange(len(data))])]))
        except Refused:
            continue
        assert sum(map(len, read.streams.values())) <= len(data)
    assert time.monotonic() - began < 20
