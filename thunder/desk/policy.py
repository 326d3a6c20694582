"""How a court has its judgments read: the desk's settings file, ``desk.toml`` in its folder.

What is drawn by chance is drawn by the desk's own secret: nobody can tell beforehand which document
it will be, and the audit shows afterwards that it was that one.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from thunder.settings.config import load, require

FILE = "desk.toml"


class Route(StrEnum):
    """How much of a document its reviewer has to read."""

    FULL = "full"
    """All of it."""
    QUICK = "quick"
    """What is asked, and the masked wordings."""
    SAMPLED = "sampled"
    """All of it, for it was drawn out of those of the quick route."""


@dataclass(frozen=True, slots=True)
class Routes:
    """What is read in full: so many open questions, so many characters (0: never), a profile.

    ``sampled``: the share of all others that is drawn to be read in full, too.
    """

    full_questions: int = 5
    full_characters: int = 0
    full_profiles: tuple[str, ...] = ("strict",)
    sampled: float = 0.0

    def __post_init__(self) -> None:
        require(self.full_questions >= 0, "'full_questions' is 0 or more")
        require(self.full_characters >= 0, "'full_characters' is 0 or more")
        _require_share("sampled", self.sampled)


@dataclass(frozen=True, slots=True)
class Second:
    """The share that a second person reads who does not see the first one's decisions."""

    share: float = 0.0

    def __post_init__(self) -> None:
        _require_share("share", self.share)


@dataclass(frozen=True, slots=True)
class Planted:
    """The share of what is read in full in which a masked wording is shown open to the reviewer."""

    share: float = 0.0

    def __post_init__(self) -> None:
        _require_share("share", self.share)


@dataclass(frozen=True, slots=True)
class Policy:
    """The routes, the share read twice, the share with a planted leak."""

    routes: Routes = field(default_factory=Routes)
    second: Second = field(default_factory=Second)
    planted: Planted = field(default_factory=Planted)

    def route(self, *, risk: int, characters: int, profile: str, chance: float) -> Route:
        """Return how a document is read; *risk*: questions that are open, *chance*: from 0 to 1."""
        own = self.routes
        is_long = bool(own.full_characters) and characters >= own.full_characters
        if risk >= own.full_questions or is_long or profile in own.full_profiles:
            return Route.FULL
        return Route.SAMPLED if chance < own.sampled else Route.QUICK


def _require_share(name: str, value: float) -> None:
    require(0 <= value <= 1, f"'{name}' is a share from 0 to 1, not {value}")


def read(folder: Path) -> Policy:
    """Return the policy of the desk in *folder*; ConfigError names what is wrong with its file."""
    path = folder / FILE
    return load(path, Policy) if path.is_file() else Policy()


def write_first(folder: Path) -> Path:
    """Write the settings file of a new desk, every value with its reason; return its path."""
    path = folder / FILE
    path.write_text(FIRST, encoding="utf-8")
    return path


FIRST = """\
# 이 책상에서 판결서를 읽는 방법. 고친 뒤 thunder desk를 다시 켜면 그때부터 들어온 문서에 쓰입니다.
# How judgments are read at this desk; changes hold from the next start, for what comes in then.

[routes]
# 정할 곳이 이보다 많거나 같으면 전부 읽습니다. / Read in full from so many open questions.
full_questions = 5
# 이 글자 수부터는 전부 읽습니다(0: 쓰지 않음). / Read in full from so many characters (0: never).
full_characters = 0
# 이 프로필은 언제나 전부 읽습니다. / Profiles that are always read in full.
full_profiles = ["strict"]
# 나머지에서 표본으로 뽑아 전부 읽는 비율. 공개본 증거의 바탕입니다(0이면 아무것도 증명하지 못함).
# Share of the others that is drawn and read in full: the evidence of the lot rests on it.
sampled = 0.05

[second]
# 첫 검토를 보지 않고 둘째 사람이 다시 읽는 비율. 어긋나면 셋째가 정하니 세 사람이 필요합니다.
# Share that a second person reads blindly; a third one settles differences: it takes three people.
share = 0.0

[planted]
# 가린 말 하나를 일부러 남겨 검토자가 찾는지 보는 비율(전부 읽는 문서). 그대로 공개되지 않습니다.
# Share of those read in full that show the reviewer a planted leak; it is never released.
share = 0.0
"""
