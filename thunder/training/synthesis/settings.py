"""What a run file of ``thunder synthesize`` says (TOML), checked."""

from dataclasses import dataclass, field
from pathlib import Path

from thunder.settings.config import require

STRUCTURED = ("auto", "json_schema", "json_object", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the language model is, and how patiently it is asked.

    - ``url``: of an OpenAI-compatible server, with its ``/v1``; ``model``: "" for the first it has.
    - ``token_variable``: the variable of the environment that holds its token.
    - ``allow_public``: a host that is not private may be asked.
    - ``timeout``: seconds a request; ``attempts``: a request that fails is sent so often.
    - ``structured``: how it is told the form of an answer; ``auto`` asks it once what it can.
    """

    url: str
    model: str = ""
    token_variable: str = ""
    allow_public: bool = False
    timeout: float = 120.0
    attempts: int = 4
    parallel: int = 4
    structured: str = "auto"

    def __post_init__(self) -> None:
        require(self.url.startswith(("http://", "https://")), "'url' begins with http(s)://")
        require(self.timeout > 0, "'timeout' is more than 0 seconds")
        require(self.attempts > 0, "'attempts' is 1 or more")
        require(1 <= self.parallel <= 256, "'parallel' is 1 to 256")
        require(self.structured in STRUCTURED, f"'structured' is one of {', '.join(STRUCTURED)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Requests in files, for a cluster that answers them without a server (``vllm run-batch``).

    - ``folder``: where ``requests-*.jsonl`` are written and ``answers-*.jsonl`` are looked for.
    - ``model``: its name, as the requests give it; ``structured``: how it is told the form of an
      answer, which nobody can be asked; ``per_file``: the most requests in a file.
    """

    folder: Path
    model: str
    structured: str = "json_schema"
    per_file: int = 10_000

    def __post_init__(self) -> None:
        require(bool(self.model), "'model' names the model")
        require(self.structured in STRUCTURED[1:], f"'structured' is one of {STRUCTURED[1:]}")
        require(self.per_file > 0, "'per_file' is 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """A language model in a *folder*, asked in this process (extra ``llm``); a grammar holds it.

    ``device``: where it computes, as torch names it.
    """

    folder: Path
    device: str = "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How the next token is drawn; ``top_k`` 0 is not sent."""

    temperature: float = 0.9
    top_p: float = 0.95
    top_k: int = 0
    max_tokens: int = 2048

    def __post_init__(self) -> None:
        require(0 <= self.temperature <= 2, "'temperature' is 0 to 2")
        require(0 < self.top_p <= 1, "'top_p' is above 0, 1 at most")
        require(self.top_k >= 0, "'top_k' is 0 or more")
        require(self.max_tokens > 0, "'max_tokens' is 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """Which texts are made: *number* of each of *domains*.

    - ``labels``: the labels that may be marked; ``wanted``: how many of them each round asks for.
    - ``rounds``: how often marks are inserted; ``distractors``: kinds that stay readable, [] none.
    - ``tries``: an answer that is dropped is asked for anew so often.
    """

    domains: tuple[str, ...]
    labels: tuple[str, ...]
    number: int = 10
    wanted: int = 3
    rounds: int = 2
    distractors: tuple[str, ...] = ()
    tries: int = 3

    def __post_init__(self) -> None:
        require(bool(self.domains), "'domains' names one or more")
        require(bool(self.labels), "'labels' names one or more")
        require(self.number > 0, "'number' is 1 or more")
        require(1 <= self.wanted <= len(self.labels), "'wanted' is 1 to the number of labels")
        require(self.rounds > 0, "'rounds' is 1 or more")
        require(self.tries > 0, "'tries' is 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A pool of seeds for a rare *label*, from which *number* sentences are made.

    - ``seeds``: annotated judgments (JSONL); ``splits``: the ``splits.tsv`` of a dataset, by which
      only those of its training part are read; ``size``: sentences of each kind in the pool.
    - ``shown``: of each kind in a prompt; ``together``: sentences asked for with the same ones
      written before them (more for [batch], where each round is a turn of the cluster);
      ``invented``: the seeds are no real judgments, and may be
      sent to a host that is not private.
    """

    label: str
    seeds: tuple[Path, ...] = ()
    splits: Path | None = None
    size: int = 100
    number: int = 100
    shown: int = 10
    together: int = 8
    invented: bool = False
    tries: int = 3

    def __post_init__(self) -> None:
        require(self.size >= 0, "'size' is 0 or more")
        require(not self.size or bool(self.seeds), "'seeds' names a file, or size is 0")
        require(not self.size or self.splits is not None, "'splits' says which are for training")
        least = min(self.number, self.shown, self.tries, self.together)
        require(least > 0, "the numbers are 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """New labels that are proposed for thin *categories*, *number* each, with *mentions* each."""

    categories: tuple[str, ...]
    number: int = 3
    mentions: int = 20
    tries: int = 3

    def __post_init__(self) -> None:
        require(bool(self.categories), "'categories' names one or more")
        require(min(self.number, self.tries) > 0, "the numbers are 1 or more")
        require(self.mentions > 1, "'mentions' is 2 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """What a whole text must not be.

    - ``unlike``: files of texts (JSONL of id and text) that none may be near to: seeds and tests.
    - ``near``: the Jaccard index from which two texts are near duplicates.
    - ``passage``: so many words in a row may not be those of one of ``unlike``.
    - ``tagger``: a tagger not trained on these texts; what it does not find is for reading.
    """

    unlike: tuple[Path, ...] = ()
    near: float = 0.8
    passage: int = 8
    tagger: str = ""

    def __post_init__(self) -> None:
        require(0.3 <= self.near <= 1, "'near' is 0.3 to 1")
        require(self.passage > 1, "'passage' is 2 words or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run: everything that is made of it lies in ``output``.

    ``prompts`` is a folder of templates of one's own, which come before those that ship; ``pairs``
    is how many minimal pairs are added, which no model is asked for.
    """

    output: Path
    texts: Texts | None = None
    pool: Pool | None = None
    labels: Labels | None = None
    server: Server | None = None
    batch: Batch | None = None
    local: Local | None = None
    seed: int = 1
    sampling: Sampling = field(default_factory=Sampling)
    gates: Gates = field(default_factory=Gates)
    prompts: Path | None = None
    pairs: int = 0

    def __post_init__(self) -> None:
        parts = sum(one is not None for one in (self.texts, self.pool, self.labels))
        require(parts < 2, "give [texts], [pool] or [labels], one of them")
        require(parts == 1 or self.pairs > 0, "give [texts], [pool], [labels] or a number of pairs")
        require(self.pairs >= 0, "'pairs' is 0 or more")
        asked = (self.server, self.batch, self.local)
        require(
            sum(one is not None for one in asked) < 2,
            "give [server], [batch] or [local], one of them",
        )
