"""``deidentify`` as an object that worker processes can be sent: the tagger by its folder."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from thunder.masking.deidentify import Deidentified, deidentify_all
from thunder.tagger.chosen_tagger import Chosen


@dataclass(frozen=True, slots=True)
class Deidentifier:
    """``deidentify`` with a tagger, one document or some at a time; processes can be sent it."""

    chosen: Chosen
    profile: str = "court"
    agree_particles: bool = False

    def __call__(self, text: str, *, id: str) -> Deidentified:
        """Return *text* de-identified."""
        return next(self.together([(id, text)]))

    def together(self, documents: Iterable[tuple[str, str]]) -> Iterator[Deidentified]:
        """Yield each of *documents*, pairs of id and text, de-identified; they are read at once."""
        yield from deidentify_all(
            documents,
            profile=self.profile,
            agree_particles=self.agree_particles,
            tagger=self.chosen.load(),
        )
