"""A language model in this process: transformers, held to the form of an answer by a grammar.

Of the grammars tried, llguidance alone let nothing pass that was no JSON of the form asked for.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from thunder.training.synthesis.server import Answer, ServerError
from thunder.training.synthesis.settings import Local


class LocalModel:
    """The model of a folder (safetensors), asked one request at a time.

    ServerError where the folder has no model, or the extra ``llm`` is not installed.
    """

    def __init__(self, given: Local) -> None:
        try:
            import llguidance.hf
            import torch
            import transformers
        except ImportError as error:
            raise ServerError(
                f"[local] needs {error.name}: pip install 'thunder-deid[llm]'"
            ) from None
        if not (given.folder / "config.json").is_file():
            raise ServerError(f"[local] folder: {given.folder} holds no model (config.json)")
        self._torch, self._lock = torch, Lock()
        self._folder: Path = given.folder
        foreign: Any = transformers  # what it says of its types does not fit how it is called
        known = {"local_files_only": True, "trust_remote_code": False}
        try:
            self._cut = foreign.AutoTokenizer.from_pretrained(given.folder, **known)
            self._model = foreign.AutoModelForCausalLM.from_pretrained(
                given.folder, use_safetensors=True, **known
            )
        except (OSError, ValueError, KeyError) as error:
            raise ServerError(f"[local] folder: {given.folder}: {error}") from None
        self._model.to(given.device).eval()
        self._grammars = llguidance.hf.from_tokenizer(
            self._cut, n_vocab=self._model.config.vocab_size
        )

    @property
    def url(self) -> str:
        """Where it is."""
        return str(self._folder)

    def models(self) -> list[str]:
        """Return the folder's name: it has one model."""
        return [self._folder.name]

    def chat(self, body: Mapping[str, Any]) -> Answer:
        """Return the answer to the request *body*, as a server's; "length" where it was cut off."""
        with self._lock:
            return self._answered(body)

    def _answered(self, body: Mapping[str, Any]) -> Answer:
        from transformers import set_seed

        torch = self._torch
        asked = self._cut.apply_chat_template(
            body["messages"], add_generation_prompt=True, return_tensors="pt", return_dict=True
        ).to(self._model.device)
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        held = _Held(self._grammars, schema, begun=asked["input_ids"].shape[1])
        set_seed(int(body.get("seed") or 0))
        with torch.inference_mode():
            made = self._model.generate(
                **asked,
                max_new_tokens=int(body["max_tokens"]),
                do_sample=body["temperature"] > 0,
                temperature=body["temperature"] or None,
                top_p=body.get("top_p"),
                top_k=body.get("top_k") or None,
                logits_processor=[held],
                pad_token_id=self._cut.pad_token_id or self._cut.eos_token_id,
            )
        tokens = made[0, asked["input_ids"].shape[1] :]
        ended = bool(len(tokens)) and int(tokens[-1]) == self._grammars.eos_token
        return Answer(
            self._cut.decode(tokens, skip_special_tokens=True),
            "stop" if ended else "length",
            self._folder.name,
            int(asked["input_ids"].shape[1]),
            len(tokens),
        )


class _Held:
    """Forbids every token that no answer of the *schema* goes on with; none without one."""

    def __init__(self, grammars: Any, schema: Mapping[str, Any] | None, *, begun: int) -> None:
        self._seen, self._matcher = begun, None
        if schema is not None:
            import llguidance.numpy as masks
            from llguidance import LLMatcher, grammar_from

            self._masks = masks
            self._matcher = LLMatcher(grammars, grammar_from("json_schema", json.dumps(schema)))
            self._bits = masks.allocate_token_bitmask(1, grammars.vocab_size)

    def __call__(self, ids: Any, scores: Any) -> Any:
        if self._matcher is None:
            return scores
        for token in ids[0, self._seen :].tolist():
            self._matcher.consume_token(token)
        self._seen = ids.shape[1]
        self._masks.fill_next_token_bitmask(self._matcher, self._bits, 0)
        allowed = np.unpackbits(self._bits.view(np.uint8), bitorder="little")[: scores.shape[-1]]
        forbidden = scores.new_tensor(allowed).eq(0)
        return scores.masked_fill(forbidden, float("-inf"))
