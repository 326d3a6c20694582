"""Presidio finds what Thunder-DeID masks, and its anonymizer writes the court's letters.

    from thunder.integrations import presidio
    results = presidio.analyzer().analyze(text, language="ko")
    operators = presidio.court_letters(text, results)
    presidio.anonymizer().anonymize(text, results, operators=operators)

``ThunderRecognizer`` goes into any registry, a YAML file's too; ``KoreanWords`` is an NLP engine
that needs no model. Presidio's entities are its own (``PERSON``, ``KR_RRN``): ``ENTITIES`` says
which of our labels becomes which, and a result keeps ours in its ``recognition_metadata``.

Presidio writes words of a text into its log where that is set to debug, and with
``log_decision_process``: leave both off. Its e-mail recogniser looks up a list of domains in the
network (``tldextract``); the registry of ``analyzer`` holds ours alone.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from thunder import taxonomy
from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.known import Known
from thunder.masking.records import Document
from thunder.taxonomy import Label
from thunder.text.spans import Span

require("presidio-analyzer", "presidio-anonymizer")
import spacy
from presidio_analyzer import (
    AnalysisExplanation,
    AnalyzerEngine,
    EntityRecognizer,
    RecognizerRegistry,
    RecognizerResult,
)
from presidio_analyzer.nlp_engine import NlpArtifacts, NlpEngine
from presidio_anonymizer import AnonymizerEngine, OperatorConfig
from presidio_anonymizer.operators import Operator, OperatorType

KOREAN = "ko"

OF_SOURCE = {
    "rule:foreigner": "KR_FRN",
    "rule:passport": "KR_PASSPORT",
    "rule:licence": "KR_DRIVER_LICENSE",
}
"""Presidio's name for what a recogniser knows more exactly than its label says."""

OF_LABEL = {
    "나이": "AGE",
    "휴대폰번호": "PHONE_NUMBER",
    "전화번호": "PHONE_NUMBER",
    "내선번호": "PHONE_NUMBER",
    "카드번호": "CREDIT_CARD",
    "비트코인개인지갑": "CRYPTO",
    "면허번호": "KR_DRIVER_LICENSE",
    "사업자등록번호": "KR_BRN",
    "연도": "DATE_TIME",
    "날짜": "DATE_TIME",
}
"""Presidio's name for a label that is not its subcategory's."""

OF_SUBCATEGORY = {
    "인명": "PERSON",
    "연령정보": "DATE_TIME",
    "이메일주소": "EMAIL_ADDRESS",
    "주민등록번호": "KR_RRN",
    "사건 관련 숫자 정보": "ID",
    "사건 관련 장소": "LOCATION",
    "지리정보": "LOCATION",
    "조직": "ORGANIZATION",
    "기관 및 시설": "ORGANIZATION",
    "사업체": "ORGANIZATION",
    "상품 일반": "PRODUCT",
    "방송통신서비스": "PRODUCT",
    "금융서비스": "PRODUCT",
    "사회·문화": "MISC",
    "사건관계인이력": "MISC",
    "URL": "URL",
}
"""Presidio's name for what a subcategory holds, by the subcategory's Korean name."""

_LABEL_OF = {
    "PERSON": "내국인이름",
    "EMAIL_ADDRESS": "이메일주소",
    "PHONE_NUMBER": "전화번호",
    "CREDIT_CARD": "카드번호",
    "CRYPTO": "비트코인개인지갑",
    "URL": "URL",
    "DATE_TIME": "생년월일",
    "KR_RRN": "주민등록번호",
    "KR_FRN": "주민등록번호",
    "KR_BRN": "사업자등록번호",
    "KR_DRIVER_LICENSE": "면허번호",
}
_ANY = "관리번호"
"""The label of what other recognisers found: (관리번호 1 생략) for what has no Korean name."""


def entity(label: Label, source: str = "") -> str:
    """Return Presidio's name for what has *label* and was found by *source*."""
    return (
        OF_SOURCE.get(source) or OF_LABEL.get(label.ko) or OF_SUBCATEGORY.get(label.subcategory)
        or "MISC"
    )  # fmt: skip


def entities() -> list[str]:
    """Return all of Presidio's names that ours become, sorted."""
    return sorted({*map(entity, taxonomy.load()), *OF_SOURCE.values()})


class ThunderRecognizer(EntityRecognizer):
    """A recogniser of Presidio's that finds what Thunder-DeID masks, in the whole text at once.

    - ``supported_entities``: those of Presidio's names that are wanted; all of ``entities()``.
    - ``context``: words before a mention by which Presidio's enhancer raises its score. Ours look
      at the context already: none are needed.
    - ``score_thresholds``: by Presidio's name, ``default`` for the others. A threshold leaves
      open what Thunder-DeID would mask: give ``Deidentifier(recall=…)`` rather than raise it.
    - ``deidentifier``: whose decisions they are; the class's own without one.

    What the court rule leaves readable (judges, courts) is not found. A registry in YAML names the
    class alone: set ``deidentifier`` on a subclass for another profile or tagger there.

    The tagger is loaded at once: its errors (a folder of another taxonomy) are raised here.
    """

    COUNTRY_CODE: ClassVar[str | None] = "kr"
    deidentifier: Deidentifier | None = None
    """Whose decisions they are where none is given; None for the one that ships."""

    def __init__(
        self,
        supported_entities: list[str] | None = None,
        name: str = "ThunderRecognizer",
        supported_language: str = KOREAN,
        context: list[str] | None = None,
        score_thresholds: dict[str, float] | None = None,
        deidentifier: Deidentifier | None = None,
    ) -> None:
        unknown = set(supported_entities or ()) - set(entities())
        if unknown:
            raise ValueError(
                f"no label becomes {', '.join(sorted(unknown))}; known are {', '.join(entities())}"
            )
        self._deidentifier = deidentifier or type(self).deidentifier or Deidentifier()
        super().__init__(
            supported_entities=supported_entities or entities(),
            name=name,
            supported_language=supported_language,
            context=context,
            score_thresholds=score_thresholds,
        )

    def load(self) -> None:
        """Load the tagger and the labels; errors as for ``Deidentifier.load``."""
        self._deidentifier.load()
        self._taxonomy = taxonomy.load()

    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: Any = None) -> list[Any]:
        """Return what of *text* is masked and becomes one of *entities*, in order of the text.

        ``recognition_metadata`` has our ``label`` and its ``label_id``, the ``source`` and the
        ``replacement``.
        """
        found: list[Any] = []
        for change in self._deidentifier.deidentify(text).changes:
            span = change.span
            label = self._taxonomy.label(span.label)
            name = entity(label, span.source)
            if name not in (entities or self.supported_entities):
                continue
            explanation = AnalysisExplanation(
                self.name, span.score, pattern_name=label.ko, textual_explanation=span.source
            )
            metadata = {
                RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
                RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
                "label": label.ko,
                "label_id": label.id,
                "source": span.source,
                "replacement": change.replacement,
            }
            found.append(
                RecognizerResult(
                    name, span.start, span.end, span.score, explanation, metadata
                )
            )  # fmt: skip
        return found


class KoreanWords(NlpEngine):
    """An engine of Presidio's that cuts Korean into words at spaces and marks, without a model."""

    engine_name = "thunder_words"

    def __init__(self) -> None:
        self._words: Any = None

    def load(self) -> None:
        """Make the cutter, which is spaCy's without any model."""
        self._words = spacy.blank("xx")

    def is_loaded(self) -> bool:
        """Return whether ``load`` was called."""
        return self._words is not None

    def process_text(self, text: str, language: str) -> Any:
        """Return *text* in words, without entities."""
        return self._artifacts(text, language)

    def process_batch(
        self,
        texts: Iterable[str],
        language: str,
        batch_size: int = 1,
        n_process: int = 1,
        **kwargs: Any,
    ) -> Iterator[tuple[str, Any]]:
        """Yield each of *texts* and its words."""
        yield from ((text, self._artifacts(text, language)) for text in texts)

    def _artifacts(self, text: str, language: str) -> Any:
        words = self._words.make_doc(text)
        return NlpArtifacts(
            entities=[],
            tokens=words,
            tokens_indices=[word.idx for word in words],
            lemmas=[word.text for word in words],
            nlp_engine=self,
            language=language,
        )

    def is_stopword(self, word: str, language: str) -> bool:
        """Return False: no word is left out."""
        return False

    def is_punct(self, word: str, language: str) -> bool:
        """Return whether *word* is marks alone."""
        return all(unicodedata.category(character)[0] in "PSZ" for character in word)

    def get_supported_entities(self) -> list[str]:
        """Return nothing: words are cut, not named."""
        return []

    def get_supported_languages(self) -> list[str]:
        """Return Korean."""
        return [KOREAN]


def analyzer(recognizer: ThunderRecognizer | None = None, **options: Any) -> AnalyzerEngine:
    """Return Presidio's analyzer for Korean, without a spaCy model and with one recogniser.

    *recognizer* is ours with its defaults; *options* are AnalyzerEngine's
    (``default_score_threshold`` …). Add others to its ``registry``.
    """
    registry = RecognizerRegistry(
        recognizers=[recognizer or ThunderRecognizer()], supported_languages=[KOREAN]
    )
    return AnalyzerEngine(
        registry=registry, nlp_engine=KoreanWords(), supported_languages=[KOREAN], **options
    )


# --- letters --------------------------------------------------------------------------------------

COURT_LETTERS = "court_letters"


class CourtLetters(Operator):
    """An operator of Presidio's that writes what ``court_letters`` chose for each place."""

    def operate(self, text: str, params: Mapping[str, Any] | None = None) -> str:
        """Return what stands in the place of the stretch *text*, which comes from the end on."""
        assert params is not None
        replacement: str = params["places"].next(text)
        return replacement

    def validate(self, params: Mapping[str, Any] | None = None) -> None:
        """Raise ValueError unless *params* are those that ``court_letters`` makes."""
        if not isinstance((params or {}).get("places"), _Places):
            raise ValueError(
                f"the operator {COURT_LETTERS} takes what "
                "thunder.integrations.presidio.court_letters(text, results) returns"
            )

    def operator_name(self) -> str:
        """Return ``court_letters``."""
        return COURT_LETTERS

    def operator_type(self) -> OperatorType:
        """Return that it anonymizes."""
        return OperatorType.Anonymize


class _Places:
    """What stands in each place of one text, given out from the end on, as Presidio asks."""

    def __init__(self, text: str, replacements: Sequence[tuple[int, int, str]]) -> None:
        self._text, self._replacements = text, replacements
        self._before = len(replacements)

    def next(self, stretch: str) -> str:
        """Return *stretch* with its places replaced: the last ones that were not asked for yet."""
        for end in range(self._before, 0, -1):
            last = self._replacements[end - 1][1]
            first = last - len(stretch)
            if self._text[max(first, 0) : last] != stretch:
                continue
            start = end
            while start and self._replacements[start - 1][0] >= first:
                start -= 1
            if self._replacements[start : start + 1][0][0] == first:
                self._before = start
                return self._written(start, end)
        raise ValueError(
            "a stretch that is no result: give court_letters(text, results) the text and the "
            "results that anonymize is given, for each text anew, and results that do not overlap"
        )

    def _written(self, start: int, end: int) -> str:
        pieces: list[str] = []
        done = self._replacements[start][0]
        for first, last, replacement in self._replacements[start:end]:
            pieces += (self._text[done:first], replacement)
            done = last
        return "".join(pieces)


def court_letters(
    text: str, results: Iterable[Any], *, deidentifier: Deidentifier | None = None
) -> dict[str, OperatorConfig]:
    """Return the operators by which *results* of *text* are written as courts write them.

    One person has one letter over the text, numbers are omitted: (계좌번호 1 생략). They serve one
    call of ``anonymize``, of an engine of ``anonymizer()``. Results of other recognisers count as
    well, by the label that their entity stands for. Which wordings are one person is found by the
    rules (*deidentifier*, without a tagger where none is given). ValueError for results that
    overlap.
    """
    chosen = sorted({(one.start, one.end): one for one in results}.items(), key=lambda one: one[0])
    spans = tuple(Span(start, end, _label(one), one.score) for (start, end), one in chosen)
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    between = zip(edges[::2], edges[1::2], strict=True)
    try:
        known = Known(masked=spans, readable=tuple((a, b) for a, b in between if a < b))
    except ValueError as error:
        raise ValueError(f"results overlap ({error}): resolve them first") from None
    rules = deidentifier or Deidentifier(model="none")
    changes = rules.deidentify(Document(text, known=known)).changes
    places = _Places(text, [(c.span.start, c.span.end, c.replacement) for c in changes])
    return {"DEFAULT": OperatorConfig(COURT_LETTERS, {"places": places})}


def _label(result: Any) -> str:
    own: str | None = (result.recognition_metadata or {}).get("label")
    return own or _LABEL_OF.get(result.entity_type, _ANY)


def anonymizer() -> AnonymizerEngine:
    """Return Presidio's anonymizer that knows the operator ``court_letters``."""
    engine = AnonymizerEngine()
    engine.add_anonymizer(CourtLetters)
    return engine
