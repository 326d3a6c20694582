"""An ML back end of Label Studio: what Thunder-DeID would mask, as pre-annotations of a task.

    uvicorn --factory thunder.integrations.labelstudio:app --host 127.0.0.1 --port 9090

A small ASGI application with ``/health``, ``/setup`` and ``/predict``. It keeps no task and no
text, reads only what a request holds (never an address in it), and trains nothing: corrections come
back by Label Studio's JSON export, ``thunder annotation import --from label-studio``.

It asks nobody who they are: let it listen on the machine of Label Studio alone. ``thunder serve``
has the same under ``/v1/label-studio``, behind its tokens and limits.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import thunder
from thunder import taxonomy
from thunder.integrations.foreign import require
from thunder.masking.deidentifier import Deidentifier
from thunder.masking.records import Deidentified
from thunder.training_data.exchange.label_studio import region, tree_path

require("starlette")
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

_MOST_BYTES = 64 << 20
_MOST_PROJECTS = 1_000


@dataclass(frozen=True, slots=True)
class Interface:
    """A labelling interface: how its tags are called, and which labels it has.

    ``labels`` are the buttons of a ``Labels`` tag; None for a ``Taxonomy``, which has all.
    """

    control: str
    object: str
    field: str
    labels: frozenset[str] | None


def interface(config: str) -> Interface:
    """Return what the labelling configuration *config* (XML) has for text.

    ValueError for one that is no XML, declares entities, or has no Labels or Taxonomy for a Text.
    """
    if "<!" in config.replace("<!--", ""):
        raise ValueError("the labelling configuration declares a document type: take it out")
    try:
        root = ElementTree.fromstring(config)
    except ElementTree.ParseError as error:
        raise ValueError(f"the labelling configuration is no XML: {error}") from None
    texts = {one.get("name"): one for one in root.iter("Text")}
    for control in root.iter():
        text = texts.get(control.get("toName"))
        if text is None or not control.get("name"):
            continue
        buttons = frozenset(
            one.get("alias") or one.get("value") or "" for one in control.iter("Label")
        )
        if control.tag not in ("Labels", "Taxonomy"):
            continue
        if text.get("valueType", "text") != "text":
            raise ValueError("the texts are addresses (valueType), which are not fetched")
        return Interface(
            control.get("name", ""),
            text.get("name", ""),
            text.get("value", "").removeprefix("$"),
            buttons if control.tag == "Labels" else None,
        )
    raise ValueError(
        "the labelling configuration has no Labels or Taxonomy for a Text: thunder annotation "
        "export --to label-studio writes one"
    )


def prediction(result: Deidentified, of: Interface) -> dict[str, Any]:
    """Return *result* as a prediction of Label Studio's for the labelling interface *of*.

    With buttons, what has none under its own label, its category or its subcategory is left out.
    """
    known = taxonomy.load()
    regions: list[dict[str, Any]] = []
    scores: list[float] = []
    for change in result.changes:
        path = tree_path(change.span.label, known)
        shown = _button(path, of.labels) if of.labels is not None else path
        if shown is None:
            continue
        one = region(len(regions) + 1, result.original, change.span, shown)
        names = {"from_name": of.control, "to_name": of.object}
        regions.append({**one, **names, "score": round(change.span.score, 4)})
        scores.append(change.span.score)
    return {
        "result": regions,
        "score": round(min(scores, default=1.0), 4),
        "model_version": version(),
    }


def version() -> str:
    """Return what predictions say that they are by."""
    return f"thunder-deid {thunder.__version__}"


class Projects:
    """The labelling interfaces of the projects that were set up, the last thousand of them."""

    def __init__(self) -> None:
        self._interfaces: dict[str, Interface] = {}

    def set_up(self, asked: Mapping[str, Any]) -> dict[str, str]:
        """Return the answer to a ``/setup``; ValueError for a configuration without a text."""
        project = _project(asked)
        self._interfaces.pop(project, None)
        self._interfaces[project] = interface(str(asked.get("schema") or ""))
        while len(self._interfaces) > _MOST_PROJECTS:
            del self._interfaces[next(iter(self._interfaces))]
        return {"model_version": version()}

    def texts(self, asked: Mapping[str, Any]) -> tuple[Interface, list[str]]:
        """Return the interface of a ``/predict`` and the texts of its tasks.

        ValueError says what does not fit, and quotes none of them.
        """
        config = asked.get("label_config")
        of = interface(str(config)) if config else self._interfaces.get(_project(asked))
        if of is None:
            raise ValueError("the project is not set up: send its label_config, or call /setup")
        return of, _texts(asked.get("tasks"), of)


def health() -> dict[str, str]:
    """Return the answer to a ``/health``."""
    return {"status": "UP", "model_class": "ThunderDeid"}


def request_of(body: bytes | bytearray) -> dict[str, Any]:
    """Return what a request's body asks; ValueError where it is no JSON object."""
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("the request is no JSON") from None
    if not isinstance(asked, dict):
        raise ValueError("the request is no JSON object")
    return asked


def app(deidentifier: Deidentifier | None = None) -> Starlette:
    """Return the application; the tagger that ships decides without a *deidentifier*.

    The tagger is loaded at once: its errors (a folder of another taxonomy) are raised here. A
    request that does not fit is answered with 400 and the reason, which quotes no text.
    """
    chosen = deidentifier or Deidentifier()
    chosen.load()
    projects = Projects()

    async def up(request: Request) -> JSONResponse:
        return JSONResponse(health())

    async def setup(request: Request) -> JSONResponse:
        try:
            return JSONResponse(projects.set_up(await _asked(request)))
        except ValueError as error:
            return _refused(error)

    async def predict(request: Request) -> JSONResponse:
        try:
            of, texts = projects.texts(await _asked(request))
            results = await run_in_threadpool(lambda: list(chosen.deidentify_many(texts)))
        except ValueError as error:
            return _refused(error)
        return JSONResponse({"results": [prediction(result, of) for result in results]})

    async def webhook(request: Request) -> JSONResponse:
        """Answer what Label Studio tells of annotations and projects: it is not read."""
        return JSONResponse({"status": "nothing is trained here"})

    return Starlette(
        routes=[
            Route("/", up),
            Route("/health", up),
            Route("/setup", setup, methods=["POST"]),
            Route("/predict", predict, methods=["POST"]),
            Route("/webhook", webhook, methods=["POST"]),
        ]
    )


def _button(path: list[str], buttons: frozenset[str]) -> str | None:
    """Return the narrowest of a label's names for which there is a button."""
    *_, subcategory, category, label = path
    names = (label, category, subcategory.partition(" ")[2], subcategory)
    return next((name for name in names if name in buttons), None)


def _project(asked: Mapping[str, Any]) -> str:
    """Return a project's number; Label Studio adds when it was made: 7.1700000000."""
    return str(asked.get("project", "")).partition(".")[0]


async def _asked(request: Request) -> dict[str, Any]:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MOST_BYTES:
            raise ValueError(
                f"the request is larger than {_MOST_BYTES >> 20} MB: ask for fewer tasks"
            )
    return request_of(body)


def _texts(tasks: Any, of: Interface) -> list[str]:
    if not isinstance(tasks, list):
        raise ValueError("the request has no list of tasks")
    texts: list[str] = []
    for number, task in enumerate(tasks, 1):
        data = task.get("data") if isinstance(task, dict) else None
        text = data.get(of.field) if isinstance(data, dict) else None
        if not isinstance(text, str):
            raise ValueError(f"task {number} of {len(tasks)} has no text data.{of.field}")
        texts.append(text)
    return texts


def _refused(error: ValueError) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status_code=400)
