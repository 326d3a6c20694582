"""LangChain, LlamaIndex: masked before it is cut, one letter a person over all of a case."""

import datetime

import pytest

from thunder import Deidentifier, Known
from thunder.integrations import passages
from thunder.integrations.passages import Passage

RULES = Deidentifier(model="none")
FIRST, SECOND = "피고인 김도윤은 자백하였다.", "증인 한지우는 김도윤을 보았다."


def masked(*case, **options):
    return next(passages.deidentify([case], deidentifier=RULES, **options))


# --- what they have in common ---------------------------------------------------------------------


def test_strings_of_the_metadata_are_masked_alike():
    metadata = {"party": "김도윤", "page": 3, "of": {"names": ["한지우", None, ("김도윤", 1)]}}
    [one, two] = masked(Passage(FIRST, metadata), Passage(SECOND, {}))
    assert (one.text, two.text) == ("피고인 A은 자백하였다.", "증인 B는 A을 보았다.")
    assert one.metadata == {"party": "A", "page": 3, "of": {"names": ["B", None, ("A", 1)]}}
    assert metadata["party"] == "김도윤"


def test_what_is_to_be_kept_is_left_alone():
    [one] = masked(Passage(FIRST, {"source": "김도윤.pdf"}), keep_metadata=["source"])
    assert one.metadata == {"source": "김도윤.pdf"}


@pytest.mark.parametrize(
    ("passage", "place"),
    [
        (Passage("계좌번호 110-482-660153", {"n": 110482660153}), "the value of the key 'n'"),
        (Passage(FIRST, {"김도윤": 1}), "the key 1 of its metadata"),
        (Passage(FIRST, {"of": [{"김도윤": 1}]}), "a key within the value of the key 'of'"),
        (Passage(FIRST, {"김도윤": {"김도윤": 1}}), ".*a place whose key is masked"),
        (Passage(FIRST, {}, id="김도윤-1"), "the id"),
    ],
)
def test_what_cannot_be_rewritten_is_an_error(passage, place):
    with pytest.raises(ValueError, match=f"passage 0 of case 0: .* stands in {place}") as error:
        masked(passage)
    assert "도윤" not in str(error.value) and "110" not in str(error.value)


@pytest.mark.parametrize(
    "other",
    [
        Deidentifier(model="none", profile="strict"),
        Deidentifier(model="none", agree_particles=True),
        Deidentifier(model="none", known=Known(kept=("김도윤",))),
    ],
)
def test_other_decisions_have_another_fingerprint(other):
    assert passages.fingerprint(RULES) == passages.fingerprint(Deidentifier(model="none"))
    assert passages.fingerprint(other) != passages.fingerprint(RULES)


# --- LangChain ------------------------------------------------------------------------------------


@pytest.fixture
def langchain():
    pytest.importorskip("langchain_core", reason="needs pip install '.[langchain]'")
    from thunder.integrations import langchain

    return langchain


@pytest.mark.parametrize(
    ("options", "second", "other"),
    [
        ({}, "증인 B는 A을 보았다.", "증인 A는 B을 보았다."),
        ({"together": True}, "증인 B는 A을 보았다.", "증인 B는 A을 보았다."),
        ({"case": "page"}, "증인 A는 B을 보았다.", "증인 A는 B을 보았다."),
        ({"case": "no-such"}, "증인 A는 B을 보았다.", "증인 A는 B을 보았다."),
    ],
)
def test_documents_of_a_source_are_one_case(langchain, options, second, other):
    from langchain_core.documents import Document

    documents = [
        Document(FIRST, id="one", metadata={"source": "1.pdf", "page": 1}),
        Document(SECOND, metadata={"source": "2.pdf", "page": 2}),
        Document(SECOND, metadata={"source": "1.pdf", "page": 3}),
    ]
    new = langchain.ThunderTransformer(RULES, **options).transform_documents(documents)
    assert [one.page_content for one in new] == ["피고인 A은 자백하였다.", other, second]
    assert [one.metadata for one in new] == [one.metadata for one in documents]
    assert (new[0].id, documents[0].page_content) == ("one", FIRST)


def test_no_chunk_holds_a_name_that_the_cut_went_through(langchain):
    splitters = pytest.importorskip("langchain_text_splitters", reason="not installed")
    from langchain_core.documents import Document

    splitter = splitters.CharacterTextSplitter(separator="", chunk_size=6, chunk_overlap=2)
    documents = [Document(" ".join([FIRST, SECOND] * 5))]
    new = langchain.ThunderTransformer(RULES).transform_documents(documents)
    assert any("도윤" in one.page_content for one in splitter.split_documents(documents))
    assert not any(
        part in one.page_content
        for one in splitter.split_documents(new)
        for part in ("김도", "도윤", "한지", "지우")
    )


@pytest.mark.parametrize("strategy", ["redact", "hash", "block"])
def test_the_middleware_takes_the_detector(langchain, strategy):
    middleware = pytest.importorskip(
        "langchain.agents.middleware", reason="needs pip install langchain"
    )
    from langchain_core.messages import HumanMessage

    guard = middleware.PIIMiddleware(
        "judgment", detector=langchain.detector(RULES), strategy=strategy
    )
    state = {"messages": [HumanMessage(FIRST)]}
    if strategy == "block":
        with pytest.raises(Exception, match="Detected 1 instance"):
            guard.before_model(state, None)
        return
    [message] = guard.before_model(state, None)["messages"]
    assert message.content.startswith("피고인 ") and message.content.endswith("은 자백하였다.")
    assert "도윤" not in message.content


# --- LlamaIndex -----------------------------------------------------------------------------------


@pytest.fixture
def llamaindex():
    pytest.importorskip("llama_index.core", reason="needs pip install '.[llamaindex]'")
    from thunder.integrations import llamaindex

    return llamaindex


def pages():
    from llama_index.core.schema import Document

    files = ["1.pdf", "2.pdf", "1.pdf"]
    return [
        Document(text=text, metadata={"file_path": path, "on": "2026-11-22"}, embedding=[0.5])
        for text, path in zip([FIRST, SECOND, SECOND], files, strict=True)
    ]


@pytest.mark.parametrize(
    ("options", "other"),
    [({}, "증인 A는 B을 보았다."), ({"together": True}, "증인 B는 A을 보았다.")],
)
def test_documents_of_a_file_are_one_case(llamaindex, options, other):
    documents = pages()
    new = llamaindex.ThunderTransformation(RULES, **options)(documents)
    texts = ["피고인 A은 자백하였다.", other, "증인 B는 A을 보았다."]
    assert [one.get_content() for one in new] == texts
    assert [one.embedding for one in new] == [None] * 3
    assert [one.metadata for one in new] == [one.metadata for one in documents]
    assert documents[0].get_content() == FIRST


def test_it_stands_first_in_a_pipeline(llamaindex):
    from llama_index.core.ingestion import IngestionPipeline
    from llama_index.core.node_parser import TokenTextSplitter

    splitter = TokenTextSplitter(chunk_size=64, chunk_overlap=0)
    first = llamaindex.ThunderTransformation(RULES)
    nodes = IngestionPipeline(transformations=[first, splitter]).run(documents=pages())
    assert nodes and not any("도윤" in node.model_dump_json() for node in nodes)


def test_a_pipelines_cache_knows_other_settings(llamaindex):
    strict = Deidentifier(model="none", profile="strict")
    one, other = (llamaindex.ThunderTransformation(each).to_dict() for each in (RULES, strict))
    assert one == llamaindex.ThunderTransformation(RULES).to_dict()
    assert one != other


def test_nodes_that_were_retrieved_are_one_case(llamaindex):
    from llama_index.core.node_parser import TokenTextSplitter
    from llama_index.core.schema import MetadataMode, NodeWithScore

    documents = pages()
    documents[0].metadata["party"] = "김도윤"
    nodes = TokenTextSplitter(chunk_size=64, chunk_overlap=0)(documents)
    found = [NodeWithScore(node=node, score=0.5) for node in nodes]
    new = llamaindex.ThunderPostprocessor(RULES).postprocess_nodes(found)
    assert [one.get_content() for one in new][-1] == "증인 B는 A을 보았다."
    assert "party: A" in new[0].node.get_content(MetadataMode.ALL)
    assert not any("도윤" in one.model_dump_json() for one in new)
    assert [one.score for one in new] == [0.5] * len(found)
    assert llamaindex.ThunderPostprocessor(RULES).postprocess_nodes([]) == []


def test_a_node_that_holds_more_than_text_is_refused(llamaindex):
    from llama_index.core.schema import ImageNode

    with pytest.raises(ValueError, match=r"node 0 \(ImageNode\) holds more than text"):
        llamaindex.ThunderTransformation(RULES)([ImageNode(text=FIRST)])


def test_dates_are_looked_through_and_stay(llamaindex):
    document = pages()[0]
    document.metadata["read"] = datetime.date(2026, 11, 22)
    [new] = llamaindex.ThunderTransformation(RULES)([document])
    assert new.metadata["read"] == datetime.date(2026, 11, 22)
