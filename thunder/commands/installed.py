"""What this installation can do: what ``thunder doctor`` says without a run's configuration."""

import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from typing import NamedTuple

import thunder
from thunder.commands.offline import INVENTED, KEPT, MASKED
from thunder.settings.licences import PACKAGE
from thunder.settings.messages import Message

_PURPOSES = {
    "documents": Message(
        ko="HWPX·HWP·DOCX·ODT·XLSX·PDF 문서", en="documents: HWPX, HWP, DOCX, ODT, XLSX, PDF"
    ),
    "parquet": Message(ko="Parquet 표", en="tables in Parquet"),
    "desk": Message(
        ko="thunder desk(검토 화면), thunder serve(API)", en="thunder desk, thunder serve"
    ),
    "postgresql": Message(ko="검토 자료를 PostgreSQL에", en="the desk's database on PostgreSQL"),
    "storage": Message(
        ko="thunder bulk의 입력과 결과를 s3:// 저장소에", en="thunder bulk from and to s3://"
    ),
    "evaluate": Message(ko="thunder evaluate(평가)", en="thunder evaluate"),
    "bundle": Message(ko="thunder bundle(설치 묶음 만들기)", en="thunder bundle make"),
    "train": Message(ko="데이터, 인코더, 태거의 학습", en="training: data, encoders, taggers"),
    "cluster": Message(ko="DeepSpeed로 여러 GPU에서 학습", en="training on clusters, by DeepSpeed"),
}
_MASKS = Message(ko="비실명 처리", en="de-identification")
_WORKS = Message(
    ko="됩니다. 모델 {model}, 지어낸 판결서의 이름이 모두 가려짐",
    en="works: tagger {model}, every name of an invented judgment is masked",
)
_FAILS = Message(ko="되지 않습니다: {why}", en="does not work: {why}")
_LEAKED = Message(ko="가려지지 않거나 바뀐 말: {words}", en="not masked, or changed: {words}")
_CURE = Message(
    ko="다시 설치하십시오: pip install --force-reinstall thunder-deid",
    en="install it again: pip install --force-reinstall thunder-deid",
)
_THERE = Message(ko="{purpose}: 설치됨", en="{purpose}: installed")
_MISSING = Message(
    ko="{purpose}: 설치되지 않음. 쓰려면 pip install 'thunder-deid[{extra}]'",
    en="{purpose}: not installed; pip install 'thunder-deid[{extra}]'",
)
_EXTRA = re.compile(r"extra *== *['\"]([\w.-]+)['\"]")
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_NESTED = re.compile(rf"{PACKAGE}\[([\w,.-]+)\]")


class Line(NamedTuple):
    """One matter: *level* is ok, fail, or none for what nobody asked for."""

    level: str
    matter: str
    said: str

    def __str__(self) -> str:
        return f"[{self.level:<4}] {self.matter}: {self.said}"


def examine() -> Iterator[Line]:
    """Yield what this installation does and does not; only the main job can fail."""
    yield Line("ok", "thunder-deid", f"{thunder.__version__}, Python {platform.python_version()}")
    yield _main_job()
    for extra, purpose in _PURPOSES.items():
        lacking = _lacking(extra)
        if lacking:
            said = _MISSING(purpose=purpose(), extra=extra)
            yield Line("none", extra, f"{said} ({', '.join(lacking)})")
        else:
            yield Line("ok", extra, _THERE(purpose=purpose()))


def can_train() -> bool:
    """Return whether what training needs is installed, so that its machine can be examined."""
    return all(find_spec(name) for name in ("torch", "transformers"))


def _main_job() -> Line:
    deidentifier = None
    try:
        deidentifier = thunder.Deidentifier.with_settings()
        text = deidentifier.deidentify(INVENTED).text
    except Exception as error:  # whatever it is, the installation is what is wrong
        why = str(error.args[-1]) if error.args else type(error).__name__
        return Line("fail", _MASKS(), f"{_FAILS(why=why)}\n       -> {_CURE()}")
    wrong = [word for word in MASKED if word in text]
    wrong += [word for word in KEPT if word not in text]
    if wrong:
        said = _FAILS(why=_LEAKED(words=", ".join(wrong)))
        return Line("fail", _MASKS(), f"{said}\n       -> {_CURE()}")
    return Line("ok", _MASKS(), _WORKS(model=_model()))


def _model() -> str:
    from thunder.settings import user
    from thunder.tagger.chosen_tagger import DEFAULT

    return user.read().settings.model or DEFAULT


def _lacking(extra: str) -> list[str]:
    """Return the packages of an extra that are not installed; the extra's own name unlisted."""
    try:
        requires = distribution(PACKAGE).requires or []
    except PackageNotFoundError:  # a copy of the sources, installed nowhere
        return [PACKAGE]
    found: list[str] = []
    for line in requires:
        wanted, _, marker = line.partition(";")
        of = _EXTRA.search(marker)
        if of is None or of[1] != extra:
            continue
        if nested := _NESTED.match(wanted.strip()):
            found += [one for name in nested[1].split(",") for one in _lacking(name)]
        elif (name := _NAME.match(wanted.strip())) and not _is_installed(name[0]):
            found.append(name[0])
    return sorted(set(found))


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
