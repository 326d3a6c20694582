"""The facts of invented administrative cases: what an agency did, and whether it stands."""

from collections.abc import Callable, Mapping

from thunder.training_data.invented_judgments import parties
from thunder.training_data.invented_judgments.cases import Case, in_man

_PUNISHMENTS = ("감봉 1월", "감봉 3월", "정직 1월", "정직 2월", "정직 3월", "해임", "강등")


def suspension(case: Case) -> None:
    """Return once *case* is one of 영업정지."""
    case.start("event", years=(2018, 2022))
    parties.people_or_company(case, "plaintiff", companies=0.15)
    days = case.rng.choice((15, 20, 30, 45, 60))
    case.set(suspended_for=f"{days}일", days=str(days), defendant=case.facts["head1"])
    case.one_of("unclean", "touting", "structure", "expired_food")
    _act(case, name="영업정지처분취소")


def licence(case: Case) -> None:
    """Return once *case* is one of a driving licence withdrawn (자동차운전면허취소)."""
    case.start("event", years=(2019, 2023))
    parties.person(case, "plaintiff", ages=(26, 63))
    case.set(defendant=case.court.police, level=f"0.{case.rng.randint(80, 168):03d}")
    case.one_of("haulier", "salesman", "carer", "farmer", "welder")
    _act(case, name="자동차운전면허취소처분취소", losing=0.85)


def industrial(case: Case) -> None:
    """Return once *case* is one of care refused after an accident at work (요양불승인)."""
    case.start("hired", years=(2012, 2018))
    case.start_again("event", years=(2019, 2022))
    parties.person(case, "plaintiff", ages=(34, 66))
    label = case.rng.choice(("주식회사", "건설업체", "택배및운송회사"))
    parties.company(case, "employer", label=label)
    case.set(defendant="근로복지공단")
    case.one_of("stroke", "disc", "shoulder", "hearing")
    case.day("applied", after=(20, 120), office=True)
    _act(case, name="요양불승인처분취소", losing=0.5)


def penalty(case: Case) -> None:
    """Return once *case* is one of a sum charged by an agency (과징금)."""
    case.start("event", years=(2017, 2021))
    parties.company(case, "plaintiff")
    rng = case.rng
    kind = case.one_of("haulage", "realname", "hygiene")
    case.set(defendant=case.facts["head1"])
    base = case.sum("base", rng.randrange(12, 90) * 1_000_000)
    cut = rng.choice((0, 10, 20, 30, 50))
    case.set(cut=str(cut), was_cut=cut > 0)
    case.sum("penalty", base * (100 - cut) // 100)
    case.sum("turnover", rng.randrange(300, 5000) * 1_000_000)
    case.set(measure=f"{in_man(base * (100 - cut) // 100)}의 과징금을 부과하는 처분")
    name = "부동산실권리자명의등기과징금" if kind == "realname" else "과징금"
    _act(case, name=f"{name}부과처분취소")


def disclosure(case: Case) -> None:
    """Return once *case* is one of papers withheld (정보공개거부)."""
    case.start("event", years=(2019, 2022))
    parties.people_or_company(case, "plaintiff", companies=0.15)
    agencies = (case.facts["head1"], case.facts["head2"], "국민건강보험공단")
    case.set(defendant=case.rng.choice(agencies))
    case.one_of("building_papers", "complaint_papers", "contract_papers", "minutes_papers")
    _act(case, name="정보공개거부처분취소", losing=0.4)


def discipline(case: Case) -> None:
    """Return once *case* is one of a public servant punished (징계)."""
    case.start("appointed_on", years=(1996, 2010))
    case.start_again("event", years=(2018, 2022))
    parties.person(case, "plaintiff", ages=(35, 58))
    role = case.one_of("officer", "police", "teacher_post", weights=(5, 3, 2))
    heads = {"officer": case.facts["head1"], "police": case.court.police}
    case.set(defendant=heads.get(role) or f"{case.court.province or '도'}교육감")
    if role == "teacher_post":
        case.set(defendant=_superintendent(case))
    weight = case.rng.choice(_PUNISHMENTS)
    case.set(punishment=weight)
    case.one_of("drinking", "insults", "gifts", "absence")
    _act(case, name=f"{weight.split()[0]}처분취소")


KINDS: Mapping[str, Callable[[Case], None]] = {
    "suspension": suspension,
    "licence": licence,
    "industrial": industrial,
    "penalty": penalty,
    "disclosure": disclosure,
    "discipline": discipline,
}


def _superintendent(case: Case) -> str:
    """Return who heads the schools where the court sits: 서울특별시교육감, 충청남도교육감."""
    if case.court.mayor:
        return f"{case.court.mayor}교육감"
    chief = case.court.police.removesuffix("경찰청장").removesuffix("남부").removesuffix("북부")
    return f"{chief}교육감"


def _act(case: Case, *, name: str, losing: float = 0.6) -> None:
    """Return once the agency has acted, and the suit against it has its days and frame."""
    case.day("noticed", after=(20, 90), office=True)
    case.day("acted", after=(15, 70), office=True)
    if case.flag("appealed", 0.55):
        case.day("appeal_filed", after=(10, 80), office=True)
        case.day("appeal_refused", after=(50, 120), office=True)
    case.day("filed", after=(15, 80), office=True)
    case.day("heard", after=(60, 200), office=True)
    case.day("closed", after=(7, 80), office=True)
    case.day("decided", after=(14, 42), office=True)
    case.set(case_name=name, lost=case.rng.random() < losing)
    case.set(won=not case.facts["lost"])
    parties.administrative_frame(case)
    case.set(
        precedent=parties.precedent(case.rng, before=case.days[-1], code="두"),
        precedent_two=parties.precedent(case.rng, before=case.days[-1], code="두"),
    )
