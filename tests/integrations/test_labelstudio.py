"""Label Studio's ML back end: set up, asked for pre-annotations, and its bad requests."""

import json

import pytest

from thunder import Deidentifier, taxonomy
from thunder.training_data.exchange import label_studio

pytest.importorskip("starlette", reason="needs pip install '.[labelstudio]'")

from thunder.integrations import labelstudio

RULES = Deidentifier(model="none")
TEXT = "피고인 김도윤은 서하린에게 한빛은행 계좌(110-482-660153)로 돈을 보냈다."
FEW = (
    '<View><Labels name="kinds" toName="judgment"><Label value="인명"/><Label value="계좌번호"/>'
    '</Labels><Text name="judgment" value="$content"/></View>'
)


@pytest.fixture(scope="module")
def client():
    pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")
    testing = pytest.importorskip("starlette.testclient")
    return testing.TestClient(labelstudio.app(RULES))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("config")
    label_studio.write_labels(
        folder, labels=["내국인이름", "은행", "계좌번호"], taxonomy=taxonomy.load()
    )
    return (folder / "config.xml").read_text("utf-8")


def test_it_is_up(client):
    assert client.get("/health").json() == {"status": "UP", "model_class": "ThunderDeid"}


def test_it_is_told_of_annotations_and_trains_nothing(client):
    answer = client.post("/webhook", json={"action": "ANNOTATION_CREATED"})
    assert (answer.status_code, answer.json()) == (200, {"status": "nothing is trained here"})


def test_pre_annotations_are_what_would_be_masked(client, tree):
    asked = {"tasks": [{"id": 7, "data": {"text": TEXT}}], "label_config": tree, "project": "1.17"}
    [found] = client.post("/predict", json=asked).json()["results"]
    result = RULES.deidentify(TEXT)
    assert [(r["value"]["start"], r["value"]["end"]) for r in found["result"]] == [
        (one.span.start, one.span.end) for one in result.changes
    ]
    assert [r["value"]["taxonomy"][0][-1] for r in found["result"]] == [
        one.span.label for one in result.changes
    ]
    assert found["model_version"].startswith("thunder-deid ")
    assert 0 < found["score"] <= 1


def test_it_is_mounted_in_another_application():
    pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")
    applications = pytest.importorskip("starlette.applications")
    testing = pytest.importorskip("starlette.testclient")
    desk = applications.Starlette()
    desk.mount("/label-studio", labelstudio.app(RULES))
    asked = {"tasks": [{"data": {"content": TEXT}}], "label_config": FEW}
    answer = testing.TestClient(desk).post("/label-studio/predict", json=asked)
    assert len(answer.json()["results"][0]["result"]) == 3


def test_a_project_is_set_up_once(client):
    said = client.post("/setup", json={"project": "9.1700000000", "schema": FEW})
    assert said.json() == {"model_version": labelstudio.version()}
    asked = {"tasks": [{"data": {"content": TEXT}}], "project": "9.1700000000"}
    [found] = client.post("/predict", json=asked).json()["results"]
    assert [(r["from_name"], r["to_name"], r["value"]["labels"]) for r in found["result"]] == [
        ("kinds", "judgment", ["인명"]),
        ("kinds", "judgment", ["인명"]),
        ("kinds", "judgment", ["계좌번호"]),
    ]


def test_what_annotators_leave_comes_back(client, tree, tmp_path):
    asked = {"tasks": [{"data": {"text": TEXT}}], "label_config": tree}
    [found] = client.post("/predict", json=asked).json()["results"]
    exported = [{"data": {"text": TEXT}, "annotations": [{"result": found["result"]}]}]
    (tmp_path / "export.json").write_text(json.dumps(exported), "utf-8")
    [back] = label_studio.read(tmp_path / "export.json")
    assert not back.problems
    assert [(one.start, one.end, one.label) for one in back.found] == [
        (one.span.start, one.span.end, one.span.label) for one in RULES.deidentify(TEXT).changes
    ]


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/predict", "no json", "no JSON"),
        ("/predict", "[]", "no JSON object"),
        ("/predict", {"tasks": [], "project": "404"}, "not set up"),
        ("/predict", {"label_config": FEW}, "no list of tasks"),
        ("/predict", {"label_config": FEW, "tasks": [{"data": {"text": TEXT}}]}, "data.content"),
        ("/setup", {"project": "1", "schema": "<View>"}, "no XML"),
        ("/setup", {"project": "1", "schema": "<View/>"}, "no Labels or Taxonomy for a Text"),
        ("/setup", {"schema": '<!DOCTYPE a [<!ENTITY b "c">]><View/>'}, "document type"),
        ("/setup", {"schema": FEW.replace("<Text ", '<Text valueType="url" ')}, "not fetched"),
        (
            "/predict",
            {"label_config": FEW, "tasks": [{"data": {"content": "가\ud800"}}]},
            "surrogate",
        ),
    ],
)
def test_a_request_that_does_not_fit_is_refused(client, path, body, said):
    content = body if isinstance(body, str) else json.dumps(body)
    answer = client.post(path, content=content)
    assert answer.status_code == 400
    assert said in answer.json()["detail"]
    assert "도윤" not in answer.text


def test_label_studios_own_parser_takes_the_predictions(client, tree):
    """Its software development kit says of each what its server would refuse."""
    sdk = pytest.importorskip("label_studio_sdk.label_interface", reason="needs label-studio-sdk")
    for config, key in ((tree, "text"), (FEW, "content")):
        of = sdk.LabelInterface(config)
        assert of.validate() is None
        asked = {"tasks": [{"id": 7, "data": {key: TEXT}}], "label_config": config}
        [found] = client.post("/predict", json=asked).json()["results"]
        assert found["result"]
        assert of.validate_prediction(found, return_errors=True) == []
        wrong = {**found, "result": [{**found["result"][0], "to_name": "elsewhere"}]}
        assert of.validate_prediction(wrong, return_errors=True) != []
