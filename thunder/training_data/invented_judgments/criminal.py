"""The facts of invented criminal cases: what was done to whom, and what it costs the accused."""

from collections.abc import Callable, Mapping

from thunder.training_data.invented_judgments import parties
from thunder.training_data.invented_judgments.cases import Case


def injury(case: Case) -> None:
    """Return once *case* is one of 상해 or 특수상해."""
    _accused(case, years=(2018, 2023))
    special = case.flag("special", 0.3)
    case.set(weeks=str(case.rng.randint(2, 10)), case_name="특수상해" if special else "상해")
    case.flag("drunk", 0.5)
    case.one_of("at_pub", "at_work", "at_home", "on_street", "in_car_park")
    _sentence(case, months=(6, 20) if special else (4, 12), fine=0 if special else 0.45)


def violence(case: Case) -> None:
    """Return once *case* is one of 폭행, 특수폭행 or 특수협박."""
    _accused(case, years=(2018, 2023))
    kind = case.one_of("simple", "special", "threat", weights=(6, 2, 2))
    names = {"simple": "폭행", "special": "특수폭행", "threat": "특수협박"}
    case.set(case_name=names[kind])
    case.flag("drunk", 0.6)
    case.one_of("at_pub", "at_work", "in_taxi", "on_street", "at_neighbours")
    _sentence(case, months=(4, 12), fine=0.7 if kind == "simple" else 0.4)


def sexual(case: Case) -> None:
    """Return once *case* is one of 강제추행 against a grown-up, told as soberly as courts do."""
    _accused(case, years=(2018, 2023), sex="남", victim_sex="여", victim_ages=(21, 58))
    place = case.one_of("at_work", "at_pub", "in_train", "in_taxi", "at_gym")
    case.set(drunk=place in ("at_pub", "in_taxi"))
    name = "성폭력범죄의처벌등에관한특례법위반(공중밀집장소에서의추행)"
    case.set(case_name=name if place == "in_train" else "강제추행")
    case.set(hours=str(case.rng.choice((16, 24, 40, 80))))
    _sentence(case, months=(4, 12), fine=0.5)


def theft(case: Case) -> None:
    """Return once *case* is one of 절도: what was taken adds up."""
    _accused(case, years=(2018, 2023))
    rng = case.rng
    case.set(case_name="절도")
    case.one_of("at_shop", "at_bath", "in_car", "at_home", "at_work")
    total = sum(
        case.sum(f"worth{number}", rng.randrange(3, 140) * 10_000) for number in range(1, 4)
    )
    case.sum("total", total)
    case.day("second", after=(2, 40))
    case.day("third_on", after=(2, 40))
    parties.person(case, "third_victim")
    _sentence(case, months=(4, 14), fine=0.5)


def fraud(case: Case) -> None:
    """Return once *case* is one of 사기: the payments add up to what was taken."""
    _accused(case, years=(2017, 2022), victim_ages=(23, 76))
    rng = case.rng
    case.set(case_name="사기")
    case.one_of("loan", "investment", "used_goods", "lease", "supply", "coin_fraud")
    small = bool(case.facts["used_goods"])
    total = 0
    for number in range(1, 5):
        case.day(f"payment{number}_on", after=(1, 30))
        step = rng.randrange(10, 90) * 10_000 if small else rng.randrange(30, 620) * 100_000
        total += case.sum(f"payment{number}", step)
    case.sum("total", total)
    case.sum("debts", rng.randrange(4, 90) * 10_000_000)
    heavy = total > 50_000_000
    _sentence(case, months=(10, 30) if heavy else (4, 12), fine=0 if heavy else 0.35)


def drunk_driving(case: Case) -> None:
    """Return once *case* is one of 음주운전; a third of the accused have done so before."""
    _accused(case, years=(2019, 2023), victim=False)
    rng = case.rng
    again = case.flag("again", 0.45)
    unlicensed = case.flag("unlicensed", 0.25)
    name = "도로교통법위반(음주운전)"
    case.set(case_name=f"{name}, 도로교통법위반(무면허운전)" if unlicensed else name)
    level = rng.randint(31, 229)
    case.set(level=f"0.{level:03d}", strong=level >= 200, weak=level < 80)
    case.set(middle=80 <= level < 200)
    case.sum("old_fine", rng.choice((1_500_000, 2_000_000, 3_000_000, 5_000_000)))
    case.set(old_year=str(int(str(case.facts["event_year"])) - rng.randint(2, 8)))
    case.flag("crash", 0.25)
    _sentence(case, months=(6, 18), fine=0.4 if again else 0.75)


KINDS: Mapping[str, Callable[[Case], None]] = {
    "injury": injury,
    "violence": violence,
    "sexual": sexual,
    "theft": theft,
    "fraud": fraud,
    "drunk_driving": drunk_driving,
}


def _accused(
    case: Case,
    *,
    years: tuple[int, int],
    sex: str = "",
    victim_sex: str = "",
    victim: bool = True,
    victim_ages: tuple[int, int] = (20, 72),
) -> None:
    """Return once the case has its accused, a victim, a record or none, and the day it happened."""
    rng = case.rng
    case.start("convicted", years=(years[0] - 6, years[0] - 2))
    case.day("conviction_final", after=(7, 9))
    case.start_again("event", years=years)
    age = rng.randint(23, 68)
    parties.person(case, "accused", sex=sex, ages=(age, age))
    year = int(str(case.facts["event_year"])) - age
    case.set(birth=f"{year % 100:02d}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}")
    if victim:
        parties.person(case, "victim", sex=victim_sex, ages=victim_ages)
        parties.person(case, "victim_two", sex=victim_sex, ages=victim_ages)
        if not victim_sex and rng.random() < 0.06:
            case.entity("victim", rng.choice(("베트남이름", "중국인이름", "태국인이름")))
    case.flag("record", 0.35)
    case.flag("settled", 0.5)
    case.flag("denies", 0.25)
    case.set(first_offence=not case.facts["record"])


def _sentence(case: Case, *, months: tuple[int, int], fine: float) -> None:
    """Return once the case has its sentence, its frame and the days up to it."""
    rng = case.rng
    case.day("arrested", after=(0, 30))
    case.day("indicted", after=(30, 240), office=True)
    case.day("decided", after=(40, 240), office=True)
    chance_of_fine = fine if not case.facts["record"] else fine / 3
    kind = "fined" if rng.random() < chance_of_fine else ""
    kind = kind or ("suspended" if case.facts["settled"] or rng.random() < 0.5 else "jailed")
    case.set(fined=kind == "fined", suspended=kind == "suspended", jailed=kind == "jailed")
    case.set(term=_term(rng.randint(*months)), years=str(rng.choice((1, 2, 2, 3))))
    case.sum("fine", rng.choice((1, 2, 3, 4, 5, 7, 8, 10)) * 1_000_000)
    case.flag("service", 0.4)
    case.set(service_hours=str(rng.choice((40, 80, 120, 160))))
    parties.criminal_frame(case, code="고정" if kind == "fined" and rng.random() < 0.5 else "고단")


def _term(months: int) -> str:
    years, rest = divmod(months, 12)
    parts = [f"{years}년"] if years else []
    parts += [f"{rest}월"] if rest else []
    return " ".join(parts)
