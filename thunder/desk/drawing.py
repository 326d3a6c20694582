"""Pages of a file as pictures, before and after: PDF by PDFium, office formats by LibreOffice.

LibreOffice is another program: where it is not installed its formats are not drawn. It runs in a
folder and with a profile of its own that vanish, without macros, and follows no link of a document.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

MOST_PAGES = 40
LONGEST = 90.0  # seconds
_SCALE = 1.6  # of 72 dots an inch
_MOST_PIXELS = 4_000_000
OFFICE = ("docx", "odt", "xlsx")
"""Formats that LibreOffice draws; HTML would have it fetch what a page names."""

_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting">
<prop oor:name="BlockUntrustedRefererLinks"><value>true</value></prop>
<prop oor:name="DisableActiveContent"><value>true</value></prop>
<prop oor:name="DisableMacrosExecution"><value>true</value></prop>
<prop oor:name="MacroSecurityLevel"><value>3</value></prop>
</item>
</oor:items>
"""


class NotDrawn(Exception):
    """A file that no program here draws; the message says what would."""


def can_draw(format: str) -> bool:
    """Return whether a program is here that draws files of *format*."""
    return format == "pdf" or (format in OFFICE and shutil.which("soffice") is not None)


def pictures(format: str, data: bytes, folder: Path) -> list[bytes]:
    """Return the first pages of a file as PNG; what is written meanwhile vanishes from *folder*."""
    if not can_draw(format):
        raise NotDrawn(format)
    return list(_drawn(data if format == "pdf" else _as_pdf(format, data, folder)))


def _drawn(data: bytes) -> Iterator[bytes]:
    import pypdfium2

    with pypdfium2.PdfDocument(data) as document:
        for number in range(min(len(document), MOST_PAGES)):
            page = document[number]
            width, height = page.get_size()
            scale = min(_SCALE, (_MOST_PIXELS / max(width * height, 1)) ** 0.5)
            out = BytesIO()
            page.render(scale=scale).to_pil().save(out, "PNG")
            page.close()
            yield out.getvalue()


def _as_pdf(format: str, data: bytes, folder: Path) -> bytes:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".drawn-") as name:
        own = Path(name)
        source = own / f"file.{format}"
        source.write_bytes(data)
        profile = own / "profile"
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
        command = ["soffice", f"-env:UserInstallation={profile.absolute().as_uri()}", "--headless"]
        command += ["--norestore", "--convert-to", "pdf", "--outdir", str(own), str(source)]
        try:
            subprocess.run(command, check=True, timeout=LONGEST, capture_output=True)
            return source.with_suffix(".pdf").read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise NotDrawn(type(error).__name__) from None
