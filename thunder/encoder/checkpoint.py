"""Loading and saving weights: safetensors only, and every weight of the encoder has to be there."""

import json
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from safetensors import SafetensorError

CODE_FILE = "modeling_thunder.py"
_CODE = '''"""Lets AutoModel find the encoder of the installed package thunder-deid."""

from thunder.encoder import (
    Encoder,
    EncoderConfig,
    EncoderForMaskedLM,
    EncoderForTokenClassification,
)

__all__ = ["Encoder", "EncoderConfig", "EncoderForMaskedLM", "EncoderForTokenClassification"]
'''
_AUTO = {
    "AutoConfig": "modeling_thunder.EncoderConfig",
    "AutoModel": "modeling_thunder.Encoder",
    "AutoModelForMaskedLM": "modeling_thunder.EncoderForMaskedLM",
    "AutoModelForTokenClassification": "modeling_thunder.EncoderForTokenClassification",
}
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")


def refuse_pickle(options: dict[str, Any]) -> None:
    """Raise ValueError where *options* of loading or saving ask for pickled weights."""
    for name in ("safe_serialization", "use_safetensors"):
        if options.get(name) is False:
            raise ValueError(
                f"{name}=False is refused: a pickle runs whatever code is in it; "
                "weights are kept in safetensors only"
            )


def loaded(
    load: Callable[..., Any], cls: type, place: str | PathLike[str], *args: Any, **options: Any
) -> Any:
    """Return what *load* makes of the folder *place*, if its weights are whole and this model's."""
    refuse_pickle(options)
    _refuse_pickled_folder(Path(place))
    wants_report = options.pop("output_loading_info", False)
    options["use_safetensors"] = True
    try:
        model, report = load(place, *args, output_loading_info=True, **options)
    except SafetensorError as error:
        raise ValueError(f"{place}: the weights are damaged: {error}") from error
    except RuntimeError as error:
        if "ignore_mismatched_sizes" not in str(error):
            raise
        raise ValueError(
            f"{place}: weights have other shapes than config.json says; the two files do not "
            "belong together, or config.json was changed. transformers' report lists them"
        ) from error
    if options.get("state_dict") is None:
        _require_whole(model, report, place=place, cls=cls)
    return (model, report) if wants_report else model


def _refuse_pickled_folder(folder: Path) -> None:
    if not folder.is_dir() or any(folder.glob("*.safetensors")):
        return
    pickled = sorted(path.name for pattern in _PICKLES for path in folder.glob(pattern))
    if pickled:
        raise ValueError(
            f"{folder}: {', '.join(pickled)} may be a pickle, which runs whatever code is in it; "
            "only model.safetensors is read. Let whoever made it save it again with "
            "save_pretrained"
        )
    raise FileNotFoundError(f"{folder}: no model.safetensors in this folder")


def _require_whole(model: Any, report: dict[str, Any], *, place: object, cls: type) -> None:
    """Raise ValueError where weights are missing or of another model.

    A model saved as this very class has to be complete. From another one, only the head may be
    new, and only the other's head may be left over.
    """
    same = cls.__name__ in (model.config.architectures or [])
    missing = _serious(report["missing_keys"], model=model, all_count=same)
    left_over = _serious(report["unexpected_keys"], model=model, all_count=same)
    for what, names in (("missing", missing), ("not this model's", left_over)):
        if names:
            shown = ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
            raise ValueError(f"{place}: {len(names)} weights are {what}: {shown}")


def _serious(names: Iterable[str], *, model: Any, all_count: bool) -> list[str]:
    prefix = model.base_model_prefix + "."
    alone = not hasattr(model, model.base_model_prefix)
    heads = ("head.", "classifier.")
    return sorted(
        name
        for name in names
        if all_count or name.startswith(prefix) or (alone and not name.startswith(heads))
    )


def write_code(folder: str | PathLike[str]) -> None:
    """Write what ``AutoModel.from_pretrained(folder, trust_remote_code=True)`` asks for.

    The file only imports thunder-deid, so a program that never imported ``thunder.encoder`` finds
    it; one that did needs no trust, as the classes are registered.
    """
    config = Path(folder) / "config.json"
    if not config.is_file():  # only the main process of several writes
        return
    found = json.loads(config.read_text("utf-8"))
    text = json.dumps({**found, "auto_map": _AUTO}, indent=2, sort_keys=True)
    config.write_text(text + "\n", encoding="utf-8")
    (Path(folder) / CODE_FILE).write_text(_CODE, encoding="utf-8")
