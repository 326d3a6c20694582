"""The software bill of materials of a bundle: CycloneDX 1.6 as JSON (ECMA-424)."""

import json
import re
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from thunder.settings.bundle.wheels import NOT_NEEDED, Wheel, requirements
from thunder.settings.licences import PACKAGE, licence_of

_TAGGER = re.compile(r"thunder/_data/finetune/taggers/([^/]+)/tagger\.json")


def of(
    wheels: Sequence[Wheel],
    environment: Mapping[str, str],
    extras: Sequence[str],
    licences: Path,
) -> str:
    """Return the document: every wheel, every tagger inside, and who asks for whom.

    *licences* has a folder of licence texts a wheel. It tells no time and draws no number, so that
    the same wheels give the same document.
    """
    own = next(wheel for wheel in wheels if wheel.name == PACKAGE)
    names = {wheel.name: _ref(wheel) for wheel in wheels}
    edges = []
    for wheel in wheels:
        asked = ["", *extras] if wheel is own else [""]
        wanted = {
            name
            for extra in asked
            for name, _ in requirements(wheel, environment, extra)
            if (wheel.name, name) not in NOT_NEEDED
        }
        refs = sorted(names[name] for name in wanted & names.keys() - {wheel.name})
        edges.append({"ref": _ref(wheel), "dependsOn": refs})
    others = [_component(one, licences) for one in wheels if one is not own]
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": _component(own, licences) | {"type": "application"}},
        "components": [*others, *_taggers(own)],
        "dependencies": edges,
    }
    content = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}"
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def _ref(wheel: Wheel) -> str:
    return f"pkg:pypi/{wheel.name}@{wheel.version}"


def _component(wheel: Wheel, licences: Path) -> dict[str, Any]:
    texts = sorted((licences / f"{wheel.name}-{wheel.version}").glob("*"))
    said = licence_of(wheel.metadata, texts)
    expression = wheel.metadata["License-Expression"]
    return {
        "type": "library",
        "bom-ref": _ref(wheel),
        "name": wheel.name,
        "version": wheel.version,
        "purl": _ref(wheel),
        "hashes": [{"alg": "SHA-256", "content": wheel.sha256}],
        "licenses": [{"expression": expression} if expression else {"license": {"name": said}}],
    }


def _taggers(own: Wheel) -> list[dict[str, Any]]:
    found = []
    with zipfile.ZipFile(own.path) as archive:
        for name in sorted(archive.namelist()):
            if tagger := _TAGGER.fullmatch(name):
                about = json.loads(archive.read(name))
                weights = about.get("files", {}).get("model.onnx")
                found.append(
                    {
                        "type": "machine-learning-model",
                        "bom-ref": f"tagger:{tagger[1]}",
                        "name": tagger[1],
                        "licenses": [{"license": {"name": about["about"].get("licence") or "?"}}],
                        "hashes": [{"alg": "SHA-256", "content": weights}] if weights else [],
                    }
                )
    return found
