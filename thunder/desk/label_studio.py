"""Label Studio's ML back end as a part of the API: pre-annotations out, corrections back.

``/v1/label-studio`` is the address to give to Label Studio, with the token as the password of its
basic authentication (any name of a user). What the API promises holds here: tokens, limits, and
that no text is logged or kept. Of a project its labelling interface alone is remembered.
"""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from thunder import taxonomy
from thunder.desk.api import NDJSON, Judgment, Parts, Refusal, checked_document, submitted
from thunder.desk.crew import Failed
from thunder.integrations import labelstudio
from thunder.training_data import annotation, exchange
from thunder.training_data.exchange import label_studio

PREFIX = "/v1/label-studio"


def routes(parts: Parts) -> APIRouter:
    """Return the routes under ``/v1/label-studio``."""
    router = APIRouter(prefix=PREFIX, tags=["label studio"])
    projects = labelstudio.Projects()

    @router.get("")
    @router.get("/health")
    def health() -> dict[str, str]:
        """Say that the back end is up."""
        return labelstudio.health()

    @router.post("/setup")
    async def setup(request: Request) -> dict[str, str]:
        """Remember the labelling interface (``schema``) of a ``project``."""
        try:
            return projects.set_up(labelstudio.request_of(await request.body()))
        except ValueError as error:
            raise _refusal(error) from None

    @router.post("/predict")
    async def predict(request: Request) -> dict[str, Any]:
        """Return what would be masked in each of ``tasks``, as predictions."""
        try:
            of, texts = projects.texts(labelstudio.request_of(await request.body()))
        except ValueError as error:
            raise _refusal(error) from None
        if len(texts) > parts.limits.documents:
            most = parts.limits.documents
            raise Refusal(413, "too_many", f"a request holds {most} tasks at most")
        if not all(texts):
            raise _refusal(ValueError(f"task {texts.index('') + 1} has an empty text"))
        documents = [checked_document(_judgment(one), parts.limits) for one in texts]
        answers = [submitted(parts.crew, document, "court") for document in documents]
        results = []
        for number, answer in enumerate(answers, 1):
            done = await asyncio.wrap_future(answer)
            if isinstance(done, Failed):
                raise Refusal(500, "failed", f"task {number} was not read: {done.reason}")
            results.append(labelstudio.prediction(done, of))
        return {"results": results}

    @router.post("/corrections", response_class=Response)
    async def corrections(request: Request) -> Response:
        """Take a JSON export of tasks; answer each with a line: its annotated text, or an error.

        The text is in ``thunder annotation``'s form. Nothing is kept.
        """
        try:
            tasks = json.loads(await request.body())
        except (ValueError, RecursionError):
            tasks = None
        exported = label_studio.documents(tasks, "the request")
        settled = exchange.settled(exported, taxonomy=taxonomy.load())
        lines = [json.dumps(_corrected(one), ensure_ascii=False) + "\n" for one in settled]
        return Response("".join(lines), media_type=NDJSON)

    @router.post("/webhook")
    def webhook() -> dict[str, str]:
        """Answer what Label Studio tells of annotations and projects: it is not read."""
        return {"status": "nothing is trained here"}

    return router


def _judgment(text: str) -> Judgment:
    return Judgment.model_construct(text=text, id="", segments=[])  # looked at by our own check


def _corrected(one: exchange.Imported) -> dict[str, str]:
    problems = (*one.problems, *one.unknown)
    if problems or one.annotated is None:
        return {"id": one.id, "error": "; ".join(str(problem) for problem in problems)}
    return {"id": one.id, "text": annotation.serialise(one.annotated)}


def _refusal(error: ValueError) -> Refusal:
    return Refusal(400, "label_studio", str(error))
