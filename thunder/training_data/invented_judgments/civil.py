"""The facts of invented civil cases: who owes whom what, and why the sums come out so."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from thunder.training_data.invented_judgments import parties
from thunder.training_data.invented_judgments.cases import Case

HUNDRED = 100_000
_INSURERS = ("{}화재해상보험 주식회사", "{}손해보험 주식회사", "{} 보험회사")
_TWELVE_PERCENT = date(2019, 6, 1)  # since when judgments carry 12 % a year


def traffic(case: Case) -> None:
    """Return once *case* is one of a traffic accident (손해배상(자))."""
    case.start("event", years=(2019, 2022))
    parties.person(case, "plaintiff")
    case.one_of("walking", "cycling", "riding", "driving", weights=(4, 2, 2, 4))
    if case.flag("insured", 0.6):
        parties.body(case, "defendant", label="보험사", form=case.rng.choice(_INSURERS))
        parties.person(case, "driver")
        case.set(driver_named="{driver}")
    else:
        parties.person(case, "defendant")
        case.set(driver_named="피고")
    parties.person(case, "kin", sex="")
    case.set(case_name="손해배상(자)")
    _treated(case, heavy=0.5)
    _suit(case, after=(150, 900))
    _damages(case, fault=case.rng.choice((0, 10, 15, 20, 25, 30, 35, 40)))


def assault_damages(case: Case) -> None:
    """Return once *case* is one of a wound given in anger (손해배상(기))."""
    case.start("event", years=(2018, 2022))
    parties.person(case, "plaintiff")
    parties.person(case, "defendant")
    case.set(case_name="손해배상(기)")
    case.flag("convicted", 0.75)
    _treated(case, heavy=0.3)
    case.day("sentenced", after=(120, 300), office=True)
    case.sum("deposited", case.rng.choice((0, 0, 2_000_000, 3_000_000, 5_000_000)))
    case.sum("crime_fine", case.rng.choice((1_000_000, 2_000_000, 3_000_000, 5_000_000)))
    _suit(case, after=(60, 400))
    _damages(case, fault=case.rng.choice((0, 0, 10, 20, 30, 40)))


def medical(case: Case) -> None:
    """Return once *case* is one of a treatment gone wrong (손해배상(의))."""
    case.start("first_visit", years=(2018, 2021))
    case.day("event", after=(2, 40))
    parties.person(case, "plaintiff", ages=(24, 70))
    case.flag("private", 0.4)
    if case.facts["private"]:
        parties.person(case, "defendant", ages=(36, 64))
        case.facts["surgeon"] = "피고"
    else:
        form = case.rng.choice(("의료법인 {}", "의료법인 {}의료재단"))
        parties.body(case, "defendant", label="의료법인", form=form)
        case.entity("surgeon", "내국인이름")
    case.one_of("spine", "knee", "gall", "eye", "tooth")
    case.set(case_name="손해배상(의)")
    _treated(case, heavy=0.6)
    _suit(case, after=(200, 800))
    _damages(case, fault=case.rng.choice((20, 30, 40, 50, 60)))


def construction(case: Case) -> None:
    """Return once *case* is one of defects in a building (손해배상(기), 하자보수비)."""
    case.start("contracted", years=(2017, 2020))
    parties.people_or_company(case, "plaintiff", companies=0.4)
    parties.company(case, "defendant", label=case.rng.choice(("건설업체", "주식회사")))
    rng = case.rng
    case.sum("price", rng.randrange(80, 900) * 1_000_000)
    case.day("begun", after=(10, 40))
    case.day("finished", after=(120, 320))
    case.day("found", after=(60, 500))
    case.day("asked", after=(5, 60), office=True)
    costs = [rng.randrange(12, 260) * HUNDRED + rng.randrange(0, 100) * 1000 for _ in range(4)]
    for number, cost in enumerate(costs, 1):
        case.sum(f"defect{number}", cost)
    case.sum("property_sum", sum(costs))
    case.set(case_name=rng.choice(("손해배상(기)", "하자보수비", "공사하자보수금")))
    _suit(case, after=(40, 300))
    share = rng.choice((60, 70, 80, 100))
    case.set(share=str(share), limited=share < 100)
    total = sum(costs) * share // 100
    _claim_and_award(case, claim=sum(costs) + rng.randrange(0, 40) * 1_000_000, award=total)
    case.set(interest_from=str(case.facts["served_next"]), from_service=True)


def deposit(case: Case) -> None:
    """Return once *case* is one of a deposit that was not given back (임대차보증금)."""
    rng = case.rng
    case.start("contracted", years=(2017, 2020))
    parties.person(case, "plaintiff")
    parties.people_or_company(case, "defendant", companies=0.25)
    whole = rng.randrange(10, 420) * 1_000_000
    case.sum("deposit", whole)
    first = whole // 10 // HUNDRED * HUNDRED
    case.sum("first_payment", first)
    case.sum("rest_payment", whole - first)
    if case.flag("monthly", 0.45):
        case.sum("rent", rng.randrange(30, 180) * 10_000)
    case.day("handed", after=(14, 60))
    expiry = case.days[-1] + timedelta(days=729)
    told = expiry - timedelta(days=rng.randint(65, 170))
    case.add_day("told", told)
    case.add_day("expired", expiry)
    case.day("left", after=(0, 90))
    months = rng.randint(1, 5) if case.facts["monthly"] and rng.random() < 0.6 else 0
    arrears = months * case.sums["rent"] if months else 0
    cleaning = rng.choice((0, 0, 350_000, 480_000, 620_000, 1_150_000))
    case.set(months=str(months), has_arrears=months > 0, has_cleaning=cleaning > 0)
    case.sum("arrears", arrears)
    case.sum("cleaning", cleaning)
    case.sum("deducted", arrears + cleaning)
    case.set(has_deduction=arrears + cleaning > 0)
    case.set(case_name=rng.choice(("임대차보증금", "보증금반환", "임대차보증금반환", "전세금")))
    _suit(case, after=(20, 200))
    _claim_and_award(case, claim=whole, award=whole - arrears - cleaning, losing=0.06)
    case.set(interest_from=str(case.facts["left_next"]))


def price(case: Case) -> None:
    """Return once *case* is one of goods delivered and not paid (물품대금, 매매대금)."""
    rng = case.rng
    case.start("contracted", years=(2018, 2021))
    parties.company(case, "plaintiff")
    parties.people_or_company(case, "defendant", companies=0.7)
    total = 0
    for number in range(1, 5):
        case.day(f"delivery{number}", after=(9, 50))
        total += case.sum(f"invoice{number}", rng.randrange(15, 620) * HUNDRED)
    case.sum("total", total)
    case.day("paid_on", after=(3, 60))
    paid = total * rng.randint(5, 45) // 100 // HUNDRED * HUNDRED
    case.sum("paid", paid)
    case.sum("rest", total - paid)
    defects = rng.choice((0, 0, 0, (total - paid) // 12 // 10_000 * 10_000))
    case.set(has_defects=defects > 0)
    case.sum("defects", defects)
    case.day("reminded", after=(20, 90), office=True)
    case.set(case_name=rng.choice(("물품대금", "매매대금", "자재대금", "물품대금")))
    _suit(case, after=(20, 200))
    _claim_and_award(case, claim=total - paid, award=total - paid - defects, losing=0.08)
    case.set(interest_from=str(case.facts["served_next"]), from_service=True)


def eviction(case: Case) -> None:
    """Return once *case* is one of a tenant who does not leave (건물인도)."""
    rng = case.rng
    case.start("contracted", years=(2017, 2021))
    parties.people_or_company(case, "plaintiff", companies=0.3)
    parties.people_or_company(case, "defendant", companies=0.2)
    rent = case.sum("rent", rng.randrange(35, 480) * 10_000)
    case.sum("deposit", rng.randrange(5, 120) * 1_000_000)
    case.day("handed", after=(10, 40))
    case.day("stopped", after=(200, 700))
    months = rng.randint(3, 9)
    case.set(months=str(months))
    case.day("ended", after=(months * 31, months * 31 + 20), office=True)
    case.sum("arrears", rent * months)
    case.set(case_name=rng.choice(("건물인도", "건물명도", "건물명도(인도)", "부동산인도")))
    homes = 0 if case.facts["defendant_is_company"] else 4
    case.one_of("shop_use", "home_use", "office_use", weights=(5, homes, 3))
    _suit(case, after=(10, 120))
    _claim_and_award(case, claim=rent * months, award=rent * months, losing=0.1)
    case.set(interest_from=str(case.facts["served_next"]), from_service=True)


KINDS: Mapping[str, Callable[[Case], None]] = {
    "traffic": traffic,
    "assault_damages": assault_damages,
    "medical": medical,
    "construction": construction,
    "deposit": deposit,
    "price": price,
    "eviction": eviction,
}


def _treated(case: Case, *, heavy: float) -> None:
    rng = case.rng
    weeks = rng.randint(8, 40) if case.flag("heavy", heavy) else rng.randint(2, 8)
    case.set(weeks=str(weeks))
    case.day("discharged", after=(weeks * 5, weeks * 9))


def _damages(case: Case, *, fault: int) -> None:
    """Return once the loss, item by item, and what is left of it after fault are facts."""
    rng = case.rng
    income = case.sum("lost_income", _lost_income(case))
    care = case.sum("past_care", rng.randrange(300, 14_000) * 1000 + rng.randrange(0, 1000, 10))
    later = rng.randrange(500, 9_000) * 1000 if case.flag("later", 0.55) else 0
    case.sum("later_care", later)
    loss = case.sum("property_sum", income + care + later)
    case.set(fault=str(fault), own=str(100 - fault), at_fault=fault > 0)
    limited = case.sum("limited_loss", loss * (100 - fault) // 100)
    given = rng.choice((0, 0, 1_500_000, 2_800_000, 4_000_000, 6_350_000))
    given = given if given < limited // 2 else 0
    case.set(has_given=given > 0)
    case.sum("given", given)
    net = case.sum("net_loss", limited - given)
    pain = case.sum("pain", rng.choice((20, 30, 50, 80, 100, 150, 200, 300)) * HUNDRED)
    total = net + pain
    _claim_and_award(case, claim=total + rng.randrange(20, 300) * HUNDRED, award=total, losing=0.08)
    case.set(interest_from=str(case.facts["event"]))


def _lost_income(case: Case) -> int:
    """Return what was not earned, in won; a lasting loss is counted to the day by Hoffmann."""
    rng = case.rng
    monthly = case.sum("income", rng.randrange(205, 480) * 10_000)
    if not case.facts["heavy"]:
        days = rng.randint(8, int(str(case.facts["weeks"])) * 7)
        case.set(off_days=str(days))
        return monthly * days // 30
    off, years, share = rng.randint(2, 8), rng.randint(2, 8), rng.randint(8, 34)
    months = range(off + 1, off + 12 * years + 1)
    coefficient = round(sum(1 / (1 + month * 5 / 1200) for month in months), 4)
    case.set(off_months=str(off), off_years=str(years), off_share=str(share))
    case.set(hoffmann=f"{coefficient:.4f}")
    return monthly * off + int(monthly * share / 100 * coefficient)


def _claim_and_award(case: Case, *, claim: int, award: int, losing: float = 0.1) -> None:
    lost = case.rng.random() < losing
    case.set(lost=lost, won=not lost and award >= claim, partly=not lost and award < claim)
    case.set(rate="6" if "물품" in str(case.facts["case_name"]) else "5")
    case.sum("claim", claim)
    case.sum("award", 0 if lost else award)
    share = max(1, min(9, round(10 * (claim - award) / claim)))
    case.set(cost_p=str(share), cost_d=str(10 - share))
    parties.civil_frame(case, claim=claim)
    case.set(
        precedent=parties.precedent(case.rng, before=case.days[-1], code="다"),
        precedent_two=parties.precedent(case.rng, before=case.days[-1], code="다"),
    )


def _suit(case: Case, *, after: tuple[int, int]) -> None:
    """Return once the suit has its days, none before the interest rate of today's law."""
    late = max(0, (_TWELVE_PERCENT - case.days[-1]).days)
    case.day("filed", after=(after[0] + late, after[1] + late), office=True)
    case.day("served", after=(12, 70), office=True)
    case.day("heard", after=(50, 200), office=True)
    case.day("closed", after=(10, 120), office=True)
    case.day("decided", after=(13, 42), office=True)
