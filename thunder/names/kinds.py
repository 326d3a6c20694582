"""What kind of thing a label names, as the name finders ask."""

from functools import lru_cache

from thunder.taxonomy.lexicon import label_groups
from thunder.taxonomy.own import working as load_taxonomy


@lru_cache(maxsize=4096)
def is_person(label: str) -> bool:
    """Return whether *label* is one of persons' names."""
    known = load_taxonomy().resolve(label)
    return known is not None and known.subcategory == "인명"


@lru_cache(maxsize=4096)
def is_name(label: str) -> bool:
    """Return whether what has *label* gets a letter: no address, number or identifier."""
    known = load_taxonomy().resolve(label)
    return known is not None and known.treatment == "letter"


@lru_cache(maxsize=4096)
def is_address(label: str) -> bool:
    """Return whether *label* is an address's, or of a part of one."""
    known = load_taxonomy().resolve(label)
    return known is not None and known.treatment == "address"


@lru_cache(maxsize=4096)
def is_number(label: str) -> bool:
    """Return whether what has *label* is left out and counted: (계좌번호 1 생략)."""
    known = load_taxonomy().resolve(label)
    return known is not None and known.treatment == "omission"


def is_thing(label: str) -> bool:
    """Return whether *label* is a name's, but no person's."""
    return is_name(label) and not is_person(label)


def labels_of(group: str) -> frozenset[str]:
    """Return the labels of a group of ``taxonomy/cues/mention_labels.tsv``."""
    return label_groups("mention_labels")[group]


def label_of(group: str) -> str:
    """Return the one label of such a group."""
    (label,) = labels_of(group)
    return label
