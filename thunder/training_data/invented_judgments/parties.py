"""The people who stand in a judgment's frame: parties, counsel, prosecutors, judges; its number."""

from datetime import date
from random import Random

from thunder.training_data.invented_judgments.cases import Case, invented_name

SMALL, SINGLE = 30_000_000, 500_000_000
"""Civil claims up to these sums (won) are 가소 and 가단; above them three judges sit."""


def person(case: Case, key: str, *, ages: tuple[int, int] = (21, 74), sex: str = "") -> str:
    """Return the sex of a person whom the case now has under *key*, with sex and age beside it."""
    chosen = sex or case.rng.choice("남여")
    case.entity(key, "내국인이름")
    case.facts[f"{key}_sex"] = chosen
    case.facts[f"{key}_age"] = str(case.rng.randint(*ages))
    case.facts[f"{key}_full"] = f"{{{key}}}"
    case.facts[f"{key}_woman"] = chosen == "여"
    case.facts[f"{key}_is_company"] = False
    return chosen


def company(case: Case, key: str, *, label: str = "주식회사") -> None:
    """Return once the case has a company under *key*, with its legal form and its head."""
    case.entity(key, label)
    case.entity(f"{key}_head", "내국인이름")
    forms = ("주식회사 {{{0}}}", "주식회사 {{{0}}}", "{{{0}}} 주식회사")
    case.facts[f"{key}_full"] = case.rng.choice(forms).format(key)
    case.facts[f"{key}_is_company"] = True
    case.facts[f"{key}_woman"] = False


def body(case: Case, key: str, *, label: str, form: str) -> None:
    """Return once the case has a body under *key* written as *form*: 의료법인 {}."""
    company(case, key, label=label)
    case.facts[f"{key}_full"] = form.format(f"{{{key}}}")


def people_or_company(case: Case, key: str, *, companies: float) -> None:
    """Return once the case has a party under *key*: a company at the rate *companies*."""
    if case.rng.random() < companies:
        company(case, key)
    else:
        person(case, key)


def civil_frame(case: Case, *, claim: int) -> None:
    """Return once a civil case has its number, judges and counsel, by the sum it claims."""
    filed = case.facts["filed_year"]
    panel = claim > SINGLE
    code = "가합" if panel else "가소" if claim <= SMALL else "가단"
    serial = case.rng.randint(1001, 9_999) if panel else case.rng.randint(10_001, 299_999)
    case.set(number=f"{filed}{code}{serial}", panel=panel)
    _judges(case, panel=panel)
    for side in ("p", "d"):
        _counsel(case, side, chance=0.85 if side == "p" else 0.7)


def administrative_frame(case: Case, *, panel: float = 0.6) -> None:
    """Return once an administrative case has its number, judges and counsel."""
    sits_as_panel = case.rng.random() < panel
    code = "구합" if sits_as_panel else "구단"
    serial = case.rng.randint(101, 89_999)
    case.set(number=f"{case.facts['filed_year']}{code}{serial}", panel=sits_as_panel)
    case.set(court=case.court.administrative)
    _judges(case, panel=sits_as_panel)
    _counsel(case, "p", chance=0.8)
    case.set(d_officer=invented_name(case.rng), d_officer_two=invented_name(case.rng))
    _counsel(case, "d", chance=0.4)


def criminal_frame(case: Case, *, code: str) -> None:
    """Return once a criminal case has its number, judges, prosecutors and counsel."""
    panel = code == "고합"
    serial = case.rng.randint(11, 899) if panel else case.rng.randint(101, 8_999)
    case.set(number=f"{case.facts['indicted_year']}{code}{serial}", panel=panel)
    _judges(case, panel=panel)
    case.set(prosecutor=invented_name(case.rng), trial_prosecutor=invented_name(case.rng))
    _counsel(case, "d", chance=1.0)
    case.flag("appointed", 0.45)


def precedent(rng: Random, *, before: date, code: str) -> str:
    """Return an older judgment of the highest court, as it is cited."""
    year = rng.randint(max(1995, before.year - 22), before.year - 2)
    digits = f"{year}{code}{rng.randint(1000, 299_999 if year > 2006 else 69_999)}"
    decided = f"{year + 1}. {rng.randint(1, 12)}. {rng.randint(1, 28)}."
    return f"대법원 {decided} 선고 {digits} 판결"


def _judges(case: Case, *, panel: bool) -> None:
    for name in ("judge", "judge_two", "judge_three"):
        case.facts[name] = invented_name(case.rng)


def _counsel(case: Case, side: str, *, chance: float) -> None:
    case.flag(f"{side}_counsel", chance)
    case.flag(f"{side}_firm", 0.6)
    for number in ("", "_two"):
        case.facts[f"{side}_lawyer{number}"] = invented_name(case.rng)
