"""The de-identifier as an object: one profile, one tagger, any number of judgments."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thunder.masking import audit
from thunder.masking.case_ledger import CaseLetters, LedgerError
from thunder.masking.deidentify import deidentify_all
from thunder.masking.known import NOTHING_KNOWN, Known
from thunder.masking.records import Deidentified, Document
from thunder.mentions.recognising import require_own_in_order
from thunder.settings import resources
from thunder.tagger.chosen_tagger import DEFAULT, RULES_ALONE, choose
from thunder.taxonomy import profiles

if TYPE_CHECKING:
    from thunder.tagger.tagger import Tagger

Judgment = str | Sequence[str] | Document
"""A text; the segments of one, each of which ends where it ends; or a Document."""


def require_letters_allowed(profile: str) -> None:
    """Return nothing; LedgerError for a profile under which letters are never kept over instances.

    It is one that masks the scene, as ``strict`` does: what ties two judgments on a sexual offence
    or a child together leads to the person.
    """
    if profiles.load(profile).mask_on_review:
        raise LedgerError(
            f"{profile}: 성폭력·아동 사건에서는 심급을 넘어 글자를 잇지 않습니다: "
            "--letters를 빼십시오"
        )


class Deidentifier:
    """De-identifies Korean court judgments by the court rule.

    - ``profile``: what stays readable, a file of ``taxonomy/policy``: ``court``, ``strict`` (sexual
      offences, children) or ``older`` (letters for numbers).
    - ``model``: the tagger asked besides the rules: the name of one that ships, a folder, or
      ``none`` for the rules alone, which miss many names.
    - ``recall``: the share of mentions that the tagger must find on its development documents, from
      .9 to .999; the higher, the more is masked without need. None: the tagger's own choice.
    - ``agree_particles``: fit 은/는, 이/가 to the letters, which courts do not.
    - ``threads``: processor threads of the tagger; 0: its library's choice.
    - ``letters``: a ledger of the letters that a case's other instances have (``CaseLetters``);
      texts that it does not know are lettered anew. Not with a profile for sexual offences and
      children.
    - ``taxonomy``: a folder of labels, policy, cues and patterns of one's own, laid over the
      shipped ones (``thunder taxonomy init``). One process works with one taxonomy.
    - ``known``: what is decided of every judgment that does not come with decisions of its own.
    - ``checks``: add to the doubts what a person has to answer before release
      (``thunder.masking.checks``).

    The tagger is loaded at the first judgment, once a process however many de-identifiers ask for
    it. Threads may share one, and it can be sent to processes, forked or spawned.

    LookupError for an unknown profile, FileNotFoundError for a tagger that is not there,
    ValueError for one that does not fit, where this process works with another taxonomy
    already, and where a table or rule of one's own is wrong (file, line and cure); nobody gets
    the rules alone without asking.
    """

    def __init__(
        self,
        *,
        profile: str = "court",
        model: str = DEFAULT,
        recall: float | None = None,
        agree_particles: bool = False,
        threads: int = 0,
        known: Known = NOTHING_KNOWN,
        checks: bool = False,
        taxonomy: Path | None = None,
        letters: CaseLetters | None = None,
    ) -> None:
        if taxonomy:
            resources.choose_taxonomy(taxonomy)
        self._taxonomy = resources.own_taxonomy()
        require_own_in_order()
        profiles.load(profile)
        if letters:
            require_letters_allowed(profile)
        self.letters = letters
        self.profile, self.model, self.recall = profile, model, recall
        self.agree_particles, self.known, self.checks = agree_particles, known, checks
        self._chosen = choose(model, recall=recall, threads=threads)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what was sent to this process, which works with the same taxonomy from now on."""
        self.__dict__.update(state)
        resources.choose_taxonomy(self._taxonomy)

    @classmethod
    def with_settings(
        cls,
        *,
        agree_particles: bool = False,
        threads: int = 0,
        known: Known = NOTHING_KNOWN,
        checks: bool = False,
    ) -> "Deidentifier":
        """Return one with the profile, model, recall and taxonomy that ``thunder deid`` takes here.

        They are read now, from the settings file and the environment (``thunder.settings.user``);
        nothing else in the library reads them. ConfigError names what is wrong with them, and
        where; errors else as for the class.
        """
        from thunder.settings import user

        found = user.read().settings
        return cls(
            profile=found.profile or "court",
            model=found.model or DEFAULT,
            recall=found.recall,
            taxonomy=found.places.taxonomy,
            agree_particles=agree_particles,
            threads=threads,
            known=known,
            checks=checks,
        )

    def load(self) -> "Tagger | None":
        """Return the tagger, loaded now rather than at the first judgment; None for the rules."""
        return self._chosen.load() if self._chosen else None

    def deidentify(self, judgment: Judgment, *, id: str = "") -> Deidentified:
        """Return *judgment* de-identified: text, changes, what stays readable and why, doubts.

        Offsets are code points of the text that came in, or of the segments joined by line ends
        (``Deidentified.texts_of_segments`` has each by itself). Outside the changes nothing is
        altered. ValueError for a text that no file can hold (lone surrogates).
        """
        if isinstance(judgment, str):
            judgment = Document(judgment, id, known=self.known)
        elif not isinstance(judgment, Document):
            judgment = Document.of_segments(judgment, id=id, known=self.known)
        return next(self.deidentify_many([judgment]))

    def deidentify_many(
        self, judgments: Iterable[str | tuple[str, str] | Document]
    ) -> Iterator[Deidentified]:
        """Yield each of *judgments* de-identified, in their order; pairs are an id and a text.

        They are read some at a time, which is faster than one by one, and never all at once.
        """
        results = deidentify_all(
            map(self._document, judgments),
            profile=self.profile,
            agree_particles=self.agree_particles,
            tagger=self.load() or RULES_ALONE,
            letters=self.letters,
        )
        if not self.checks:
            return results
        from thunder.masking.checks import checked

        return (checked(result, profile=self.profile) for result in results)

    def _document(self, judgment: str | tuple[str, str] | Document) -> Document:
        if isinstance(judgment, Document):
            return judgment if judgment.known else replace(judgment, known=self.known)
        id, text = ("", judgment) if isinstance(judgment, str) else judgment
        return Document(text, id, known=self.known)

    def audit(self, result: Deidentified) -> dict[str, Any]:
        """Return the record of *result* for an audit: what was changed where, by which rule.

        It holds no original word, and no id, which may be one.
        """
        return audit.result_entry(result, audit.catalogue(self.profile))
