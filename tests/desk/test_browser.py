"""The desk in a real browser, headless: whole reviews by keyboard alone.

THUNDER_PICTURES names a folder into which each screen is photographed.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median

import pytest
import uvicorn

from thunder.desk.accounts import Standing
from thunder.desk.policy import Planted, Policy, Routes, Second
from thunder.desk.server import Parts, reviewing
from thunder.desk.sign_on import Provider, SignOn
from thunder.desk.states import Role
from thunder.documents.sources import list_sources

from ..documents.test_commands import every_format

playwright = pytest.importorskip("playwright.sync_api", reason="needs pip install playwright")

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM, reason="needs chromium (apt-get install chromium)"),
]

PASSWORD = "a long password"
JUDGMENT = """서울중앙지방법원
판 결
사건 2031고단1234 사기
피고인 강도윤 (900101-1234567), 회사원

이 유
피고인 강도윤은 사고 당시 45세 8개월 7일이었다.
이솔바람은 이를 보았다. 그 뒤 이솔바람은 집에 갔다.
<script>document.title = "changed"</script><img src=x onerror="document.title='changed'">
피고인 강도윤의 말 😀 뒤에도 강도윤이라는 이름이 있다.
"""


@pytest.fixture
def address(desk, crew):
    """Return where a desk listens."""
    server = uvicorn.Server(
        uvicorn.Config(reviewing(Parts(desk, crew)), port=0, log_level="error", access_log=False)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as engine:
        made = engine.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield made
        made.close()


class Seat:
    """Somebody in front of a browser, who uses the keyboard alone."""

    def __init__(self, browser, address):
        self.address = address
        self.errors, self.asked = [], []
        context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="ko-KR")
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", lambda request: self.asked.append(request.url))

    def _heard(self, message):
        if message.type == "error" and "status of 4" not in message.text:
            self.errors.append(message.text)

    def sign_in(self, name):
        self.page.goto(self.address)
        self.page.wait_for_function("() => document.activeElement.name === 'name'")
        self.keys(name, "Tab", PASSWORD, "Enter")
        self.page.wait_for_url(f"{self.address}/")
        return self

    def keys(self, *keys):
        for key in keys:
            if re.fullmatch(r"(Shift\+)?([A-Z][a-z]+[A-Z]?\w*|[A-Z])", key):
                self.page.keyboard.press(key)
            else:
                self.page.keyboard.type(key)

    def go_to(self, words):
        """Press Tab until the focus is on what is called *words*, and Enter."""
        for _ in range(80):
            self.page.keyboard.press("Tab")
            named = self.page.evaluate(
                "() => document.activeElement.ariaLabel || document.activeElement.textContent"
            )
            if words in (named or ""):
                return self.page.keyboard.press("Enter")
        raise AssertionError(f"no {words!r} is reached by Tab")

    def decides(self, *keys):
        """Press keys the last of which is answered by the server."""
        self.keys(*keys[:-1])
        with self.page.expect_response(re.compile("decisions|undo|redo")) as answer:
            self.keys(keys[-1])
        answer.value.finished()
        self.page.evaluate("() => new Promise((go) => setTimeout(() => requestAnimationFrame(go)))")
        return answer.value.status

    def opened(self):
        self.page.wait_for_selector("#text .m")
        return self

    def result(self):
        return "\n".join(self.page.locator("td.result").all_inner_texts())

    def shows(self, holds):
        """Wait until *holds* of the result: the page draws after the server has answered."""
        end = time.monotonic() + 10
        while not holds(self.result()):
            assert time.monotonic() < end, self.result()
            self.page.wait_for_timeout(20)

    def picture(self, name):
        if folder := os.environ.get("THUNDER_PICTURES"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))


@pytest.fixture
def seat(browser, address):
    seats = []

    def sit():
        seats.append(Seat(browser, address))
        return seats[-1]

    yield sit
    for one in seats:
        one.page.context.close()
    assert [error for one in seats for error in one.errors] == []
    assert all(url.startswith(address) for one in seats for url in one.asked)


@pytest.fixture
def staff(sign_in):
    return [
        sign_in(name, role)
        for name, role in (
            ("kim", Role.REVIEWER),
            ("lee", Role.CONFIRMER),
            ("admin", Role.ADMINISTRATOR),
        )
    ]


def free(store, desk, text=JUDGMENT):
    """Return the id of the judgment, added and de-identified."""
    id = store.add("2031고단1234.txt", text, profile="court", risk=None, actor="x")
    return wait_for(store, id)


def wait_for(store, id):
    """Return the id of a document once it is de-identified."""
    for _ in range(200):
        if store.state(id).value == "free":
            return id
        time.sleep(0.05)
    raise AssertionError("nobody de-identified it")


PLACES = ("masked", "opened", "relettered", "questions")


def released(store, desk, staff, title="2031고단77 사기.txt"):
    """Return the id of a judgment that two people have released."""
    id = store.add(title, "피고인 강도윤은 갔다.", profile="court", risk=0, actor="x")
    store.claim(staff[0], id)
    desk.step(staff[0], id, "finish", version=0)
    store.claim(staff[1], id)
    desk.step(staff[1], id, "release", version=0)
    return id


def test_a_whole_review_by_keyboard_from_import_to_release_by_two_people(
    seat, store, desk, staff, tmp_path
):
    judgment = tmp_path / "2031고단1234.txt"
    judgment.write_text(JUDGMENT, encoding="utf-8")
    admin = seat()
    admin.page.goto(admin.address)
    admin.picture("sign-in")
    admin.sign_in("admin")
    admin.page.set_input_files("input[type=file]", judgment)  # the dialog is the system's
    admin.go_to("문서 넣기")
    admin.page.wait_for_selector(".state.free", timeout=15_000)
    admin.picture("queue")

    kim = seat().sign_in("kim")
    kim.go_to("검토: 2031고단1234")
    kim.opened()
    kim.picture("reading")
    assert kim.page.title() == "비실명 처리 검토"
    assert "<script>" in kim.result()
    assert kim.decides("/", "이솔바람", "Enter", "m") == 200
    kim.shows(lambda text: "이솔바람" not in text)
    kim.page.reload()
    kim.opened()
    assert kim.decides("u") == 200
    kim.shows(lambda text: "이솔바람" in text)
    assert kim.decides("r") == 200
    kim.shows(lambda text: "이솔바람" not in text)
    kim.keys("f")
    kim.page.wait_for_selector("#said:not([hidden])")
    kim.picture("blocked")
    while "정할 곳 0" not in kim.page.inner_text("#left"):
        assert kim.decides("n", "a") == 200
    kim.picture("answered")
    kim.keys("f")
    kim.page.wait_for_url(f"{kim.address}/")
    assert kim.page.locator("button", has_text="확인").count() == 0

    lee = seat().sign_in("lee")
    lee.go_to("확인: 2031고단1234")
    lee.opened()
    lee.picture("confirming")
    lee.keys("f")
    lee.page.wait_for_url(f"{lee.address}/")
    lee.go_to("공개한 문서")
    lee.page.wait_for_selector(".state.released")
    lee.picture("released")
    (written,) = desk.releases.glob("*.txt")
    text = written.read_text(encoding="utf-8")
    assert not any(name in text for name in ("강도윤", "이솔바람", "900101"))
    assert "<script>document.title" in text
    store.verify()
    admin.page.goto(f"{admin.address}/audit")
    admin.picture("audit")
    admin.page.goto(f"{admin.address}/statistics")
    admin.picture("statistics")
    admin.page.goto(f"{admin.address}/users")
    admin.picture("users")


KEYS = [
    (["j", "j", "o"], lambda text: "피고인 강도윤" in text or "900101" in text),
    (["/", "이솔바람", "Enter", "Shift+M"], lambda text: text.count("이솔바람") == 1),
    (["/", "강도윤", "Enter", "s"], lambda text: "피고인 B은" in text),
    (["/", "강도윤", "Enter", "Shift+BracketRight", "m"], lambda text: text.count("A윤") == 4),
    (["/", "강도", "Enter", "BracketRight", "Shift+O"], lambda text: text.count("강도윤") == 1),
]


@pytest.mark.parametrize(("keys", "holds"), KEYS, ids=[" ".join(keys) for keys, _ in KEYS])
def test_each_key_does_what_it_says(seat, store, desk, staff, keys, holds):
    store.claim(staff[0], free(store, desk))
    kim = seat().sign_in("kim")
    kim.go_to("이어서")
    kim.opened()
    assert kim.decides(*keys) == 200
    kim.shows(holds)


def test_who_decides_on_what_changed_elsewhere_is_told_and_reads_it_anew(seat, store, desk, staff):
    id = free(store, desk)
    store.claim(staff[0], id)
    kim = seat().sign_in("kim")
    kim.go_to("이어서")
    kim.opened()
    mask = {"kind": "mask", "wording": "이솔바람", "label": "내국인이름"}
    desk.decide(staff[0], id, mask, version=0)
    assert kim.decides("/", "회사원", "Enter", "m") == 409
    kim.page.wait_for_selector("#said:not([hidden])")
    kim.shows(lambda text: "이솔바람" not in text and "회사원" in text)


def test_two_reviewers_never_get_one_document(seat, store, desk, staff, sign_in):
    free(store, desk)
    sign_in("park", Role.REVIEWER)
    kim, park = seat().sign_in("kim"), seat().sign_in("park")
    kim.go_to("검토: 2031고단1234")
    kim.opened()
    park.go_to("검토: 2031고단1234")
    park.page.wait_for_selector(".said")
    assert park.page.locator("#text").count() == 0
    park.picture("taken")


FULL = Policy(Routes(full_questions=0), Second(1.0), Planted(1.0))


@pytest.fixture
def three(store, sign_in):
    """Return three who read one after the other, at a desk where all is read, and twice."""
    store.policy = FULL
    sign_in("audit", Role.AUDITOR)
    return [sign_in(name, Role.CONFIRMER) for name in ("kim", "lee", "park")]


LONG = JUDGMENT + "\n".join(f"{at}. 그 뒤 모두 집으로 돌아갔다고 한다." for at in range(80))


def answer_all(seat):
    """Answer each question by key, and read to the end by key."""
    while "정할 곳 0" not in seat.page.inner_text("#left"):
        assert seat.decides("n", "a") == 200
    for _ in range(40):
        if "모두 읽음" in seat.page.inner_text("#reading"):
            return
        assert seat.decides("d") == 200
    raise AssertionError("it is not read to its end")


def finish(seat):
    seat.keys("f")
    seat.page.wait_for_url(f"{seat.address}/")


def test_two_readings_by_keyboard_and_a_third_who_settles_them(seat, store, desk, three):
    id = free(store, desk, LONG)
    kim, lee, park = (seat().sign_in(one.name) for one in three)
    kim.go_to("검토: 2031고단1234")
    kim.opened()
    kim.keys("f")
    kim.page.wait_for_selector("#said:not([hidden])")
    kim.picture("to-be-read")
    answer_all(kim)
    kim.picture("all-read")
    finish(kim)
    assert kim.page.locator("button", has_text="둘째 검토").count() == 0

    lee.page.reload()
    lee.picture("second-queue")
    lee.go_to("둘째 검토: 2031고단1234")
    lee.opened()
    assert "kim" not in lee.page.inner_text("#desk")
    assert lee.decides("/", "이솔바람", "Enter", "m") == 200
    lee.shows(lambda text: "이솔바람" not in text)
    answer_all(lee)
    finish(lee)

    park.page.reload()
    park.go_to("조정: 2031고단1234")
    park.opened()
    park.page.wait_for_function(
        "() => document.querySelector('#questions').innerText.includes('두 검토')"
    )
    park.keys("n")
    park.picture("settling")
    while "정할 곳 0" not in park.page.inner_text("#left"):
        assert park.decides("n", "m") == 200
    finish(park)

    kim.page.reload()
    kim.go_to("확인: 2031고단1234")
    kim.opened()
    finish(kim)
    (written,) = desk.releases.glob("*.txt")
    text = written.read_text(encoding="utf-8")
    assert not any(name in text for name in ("강도윤", "이솔바람", "900101"))
    auditor = seat().sign_in("audit")
    for path in ("evidence", "statistics"):
        auditor.page.goto(f"{auditor.address}/{path}")
        auditor.picture(f"{path}-of-readings")
    assert desk.evidence().read.leaks == 1
    store.verify()
    assert id in store.released()


def test_pages_are_compared_as_drawn_and_the_file_is_fetched(seat, store, desk, staff, tmp_path):
    path = tmp_path / "2031고단1234.pdf"
    path.write_bytes(every_format()["pdf"])
    done = desk.take_in(list_sources([path]).sources, profile="court", actor="x")
    wait_for(store, done.added[0])
    kim = seat().sign_in("kim")
    kim.go_to("검토: 2031고단1234")
    kim.opened()
    kim.go_to("쪽 그림으로")
    drawn = "() => [...document.images].filter((one) => one.complete && one.naturalWidth).length"
    kim.page.wait_for_function(f"{drawn} === 2")
    kim.picture("drawn")
    kim.go_to("글로 돌아가기")
    kim.opened()
    finish(kim)
    lee = seat().sign_in("lee")
    lee.go_to("확인: 2031고단1234")
    lee.opened()
    finish(lee)
    lee.page.goto(f"{lee.address}/documents/{done.added[0]}/released")
    lee.picture("released-file")
    with lee.page.expect_download() as download:
        lee.go_to("파일 받기")
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")


@pytest.fixture(scope="module")
def axe():
    return pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="needs pip install axe-playwright-python"
    ).Axe()


def test_every_screen_is_accessible(seat, store, desk, staff, axe, tmp_path):
    id = free(store, desk)
    store.claim(staff[0], id)
    other = released(store, desk, staff)
    store.policy = Policy(Routes(full_questions=0))
    path = tmp_path / "a.pdf"
    path.write_bytes(every_format()["pdf"])
    (drawn,) = desk.take_in(list_sources([path]).sources, profile="court", actor="x").added
    store.claim(staff[0], wait_for(store, drawn))
    kim, admin, nobody = seat().sign_in("kim"), seat().sign_in("admin"), seat()
    screens = [(nobody, "/sign-in"), (kim, "/"), (kim, f"/documents/{id}"), (kim, "/password")]
    screens += [(admin, one) for one in ("/", "/released", "/users", "/audit", "/statistics")]
    screens += [
        (admin, "/evidence"),
        (kim, f"/documents/{drawn}"),
        (kim, f"/documents/{drawn}/drawn"),
    ]
    screens += [(admin, "/otherwise"), (admin, "/?page=2"), (admin, "/find")]
    store.keep_compared(other, dict.fromkeys(PLACES, 1))
    for at in range(120):
        store.add(f"2031고단{at}", "갔다.", profile="court", risk=0, actor="x")
    store.set_standing(staff[2], "lee", Standing.DISABLED)
    found = []
    for who, path in screens:
        if path == "/find":
            who.page.goto(f"{who.address}/released")
            who.page.fill("input[name=words]", "2031고단")
            who.page.press("input[name=words]", "Enter")
            who.page.wait_for_url("**/find")
        else:
            who.page.goto(who.address + path)
        if path == "/users":
            who.page.locator("summary").first.click()
        if re.search("documents/[0-9a-f]+$", path):
            who.opened()
        for one in axe.run(who.page).response["violations"]:
            found.append((path, one["id"], one["impact"], [n["html"][:120] for n in one["nodes"]]))
    assert found == []


def test_a_million_characters_stay_smooth(seat, store, desk, staff):
    text = JUDGMENT + "\n".join(f"{at}. 그 뒤 모두 집으로 돌아갔다고 한다." for at in range(38_000))
    assert len(text) > 1_000_000
    id = store.add("long", text, profile="court", risk=0, actor="x")
    store.claim(staff[0], id)
    desk.open(staff[0], id)
    kim = seat().sign_in("kim")
    begun = time.monotonic()
    kim.page.goto(f"{kim.address}/documents/{id}")
    kim.page.set_default_timeout(60_000)
    kim.opened()
    shown = time.monotonic() - begun
    frames = kim.page.evaluate(
        """async () => {
            let last = performance.now(), frames = [];
            for (let step = 0; step < 40; step += 1) {
                scrollBy(0, 900);
                await new Promise(requestAnimationFrame);
                frames.push(performance.now() - last);
                last = performance.now();
            }
            return frames;
        }"""
    )
    print(f"shown after {shown:.1f} s, a frame of scrolling takes {median(frames):.0f} ms")
    assert median(frames) < 200
    assert shown < 20


def test_accounts_search_and_what_would_change_by_keyboard(seat, store, desk, staff):
    """An administrator who never touches the mouse."""
    id = released(store, desk, staff)
    store.keep_compared(id, {"masked": 2, "opened": 0, "relettered": 1, "questions": 0})
    store.add("2031고단1234.txt", JUDGMENT, profile="court", risk=3, actor="x")
    admin = seat().sign_in("admin")
    admin.page.wait_for_load_state()
    while admin.page.evaluate("() => document.activeElement.name") != "words":
        admin.keys("Tab")
    admin.keys("2031 고단 1234", "Enter")
    admin.page.wait_for_url("**/find")
    assert admin.page.locator(".called").all_inner_texts() == ["2031고단1234.txt"]
    admin.picture("found")
    admin.go_to("달라질 결과")
    admin.page.wait_for_url("**/otherwise")
    assert admin.page.locator(".called").all_inner_texts() == ["2031고단77 사기.txt"]
    admin.picture("otherwise")
    admin.go_to("사용자")
    admin.page.wait_for_url("**/users")
    admin.go_to("바꾸기: kim")
    admin.page.wait_for_selector("details[open]")
    admin.picture("accounts")
    admin.go_to("정지: kim")
    admin.page.wait_for_selector(".state.disabled")
    assert [one.standing.value for one in store.users() if one.name == "kim"] == ["disabled"]


def test_whom_another_sites_provider_vouches_for_reaches_the_queue(
    browser, store, desk, crew, tmp_path
):
    """The provider is another site (localhost, not 127.0.0.1): the strict cookie has to arrive."""
    pytest.importorskip("authlib", reason="needs pip install 'thunder-deid[sign-on]'")
    said, person = tmp_path / "issuer", tmp_path / "person.json"
    kim = {"preferred_username": "김검토"}
    person.write_text(json.dumps({"sub": "1", "claims": kim}), encoding="utf-8")
    store.add_signing_on("김검토", Role.REVIEWER, actor="admin")
    program = Path(__file__).with_name("provider.py")
    with subprocess.Popen([sys.executable, program, said, person, "localhost"]) as process:
        while not (said.exists() and said.read_text("utf-8")):
            time.sleep(0.05)
        own = Provider(said.read_text("utf-8"), "thunder-desk", "a secret of the client")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        place = f"http://127.0.0.1:{port}"
        app = reviewing(Parts(desk, crew, sign_on=SignOn(place, own)))
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        seat = Seat(browser, place)
        try:
            time.sleep(1)
            seat.page.goto(f"{place}/sign-in")
            seat.picture("sign-on")
            seat.go_to("법원 통합 로그인")
            seat.page.wait_for_url(f"{place}/")
            assert "김검토" in seat.page.inner_text(".who")
            seat.page.reload()
            assert "김검토" in seat.page.inner_text(".who")
        finally:
            seat.page.context.close()
            server.should_exit = True
            thread.join()
            process.kill()
