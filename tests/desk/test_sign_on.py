"""Sign-on by the court: an OpenID Connect provider (its own process), and a proxy's header."""

import ipaddress
import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from fastapi.testclient import TestClient

from thunder.desk import sign_on
from thunder.desk.server import Parts, reviewing
from thunder.desk.sign_on import CALLBACK, Provider, Proxy, SignOn
from thunder.desk.states import Role

pytest.importorskip("authlib", reason="needs pip install 'thunder-deid[sign-on]'")

ADDRESS = "http://127.0.0.1:8601"
SECRET = "a secret of the client"
ROLES = {"desk-readers": Role.REVIEWER, "desk-signers": Role.CONFIRMER}


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    """Return the issuer, and a function that says who signs on there next."""
    folder = tmp_path_factory.mktemp("provider")
    said, people = folder / "issuer", folder / "people.json"
    command = [sys.executable, Path(__file__).with_name("provider.py"), said, people]
    with subprocess.Popen(command) as process:
        try:
            for _ in range(400):
                time.sleep(0.05)
                try:
                    issuer = said.read_text("utf-8")
                    requests.get(f"{issuer}/keys", timeout=5)
                    break
                except (OSError, ValueError):
                    assert process.poll() is None
            yield issuer, lambda **facts: people.write_text(json.dumps(facts), "utf-8")
        finally:
            process.kill()


@pytest.fixture
def settings(provider):
    return SignOn(ADDRESS, Provider(provider[0], "thunder-desk", SECRET))


@pytest.fixture
def with_roles(provider):
    own = Provider(provider[0], "thunder-desk", SECRET, claim="groups", roles=ROLES)
    return SignOn(ADDRESS, own)


def browser(desk, crew, settings, **facts):
    client = ("127.0.0.1", 50000)
    app = reviewing(Parts(desk, crew, sign_on=settings, **facts))
    return TestClient(app, follow_redirects=False, base_url=ADDRESS, client=client)


def go(client):
    """Go from the desk to the provider and return where that leads back to."""
    there = client.get("/sign-on")
    assert there.status_code == 303
    back = requests.get(there.headers["location"], allow_redirects=False, timeout=10)
    assert back.status_code == 302
    place = urlsplit(back.headers["location"])
    assert f"{place.scheme}://{place.netloc}{place.path}" == ADDRESS + CALLBACK
    return f"{place.path}?{place.query}"


KIM = {"sub": "1", "claims": {"preferred_username": "kim", "groups": ["desk-readers", "x"]}}


def test_whom_the_provider_vouches_for_is_signed_in(desk, crew, store, provider, settings):
    store.add_signing_on("kim", Role.REVIEWER, actor="admin")
    provider[1](**KIM)
    client = browser(desk, crew, settings)
    answer = client.get(go(client))
    assert answer.status_code == 200
    assert 'url=/"' in answer.text  # the strict cookie is not sent where another site has led
    said = answer.headers.get_list("set-cookie")
    assert any("thunder=" in one and "samesite=strict" in one.lower() for one in said)
    assert "kim" in client.get("/").text
    assert store.audited()[-1] | {"time": 0, "number": 0} == {
        "action": "sign in",
        "actor": "kim",
        "document": "",
        "facts": {"by": provider[0]},
        "time": 0,
        "number": 0,
    }


def test_what_is_asked_of_the_provider_holds_state_nonce_and_pkce(desk, crew, settings):
    client = browser(desk, crew, settings)
    answer = client.get("/sign-on")
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    assert asked["response_type"] == ["code"]
    assert asked["code_challenge_method"] == ["S256"]
    assert len({asked[key][0] for key in ("state", "nonce", "code_challenge")}) == 3
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    secret = client.cookies["thunder-sign-on"]
    assert secret not in answer.headers["location"]
    again = parse_qs(urlsplit(client.get("/sign-on").headers["location"]).query)
    assert again["state"] != asked["state"]


LIES = ["issuer", "audience", "two audiences", "expired", "nonce", "key", "unsigned", "userinfo"]


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_is_not_the_providers_word_for_this_browser_is_refused(
    desk, crew, store, provider, settings, lie
):
    store.add_signing_on("kim", Role.REVIEWER, actor="admin")
    provider[1](**KIM, wrong=lie, claims_by_userinfo=lie == "userinfo")
    client = browser(desk, crew, settings)
    assert client.get(go(client)).status_code == 403
    assert client.get("/").headers["location"] == "/sign-in"


def test_claims_are_asked_for_where_the_token_has_none(desk, crew, store, provider, settings):
    store.add_signing_on("kim", Role.REVIEWER, actor="admin")
    provider[1](**KIM, claims_by_userinfo=True)
    client = browser(desk, crew, settings)
    assert client.get(go(client)).status_code == 200


def test_an_answer_is_taken_once_and_from_the_browser_that_began(
    desk, crew, store, provider, settings
):
    store.add_signing_on("kim", Role.REVIEWER, actor="admin")
    provider[1](**KIM)
    client, other = browser(desk, crew, settings), browser(desk, crew, settings)
    back = go(client)
    assert other.get(back).status_code == 403
    other.get("/sign-on")
    assert other.get(back).status_code == 403  # a state of somebody else's
    assert client.get(back.replace("iss=", "iss=x")).status_code == 403
    back = go(client)
    secret = client.cookies["thunder-sign-on"]
    assert client.get(back).status_code == 200
    client.cookies.set("thunder-sign-on", secret)
    assert client.get(back).status_code == 403  # its code is spent


def test_roles_by_claim_are_followed_and_nobody_else_gets_in(
    desk, crew, store, provider, with_roles
):
    client = browser(desk, crew, with_roles)
    for groups, role in [
        (["desk-readers"], Role.REVIEWER),
        (["desk-signers"], Role.CONFIRMER),
        ([], None),
        (["administrator"], None),
    ]:
        provider[1](sub="1", claims={"preferred_username": "kim", "groups": groups})
        answer = client.get(go(client))
        assert answer.status_code == (200 if role else 403)
        if role:
            assert [(one.name, one.role) for one in store.users()] == [("kim", role)]
        assert ("location" in client.get("/").headers) == (role is None)
    assert [one.role for one in store.users()] == [Role.CONFIRMER]


def test_without_roles_by_claim_nobody_makes_an_account(desk, crew, store, provider, settings):
    provider[1](**KIM)
    client = browser(desk, crew, settings)
    assert client.get(go(client)).status_code == 403
    assert store.users() == []


def test_a_provider_that_does_not_answer_is_said_and_local_accounts_go_on(desk, crew, people):
    nobody = SignOn(ADDRESS, Provider("http://127.0.0.1:9", "thunder-desk", SECRET))
    client = browser(desk, crew, nobody)
    assert client.get("/sign-on").status_code == 502
    data = {"name": "reviewer", "password": "a long password"}
    assert client.post("/sign-in", data=data).status_code == 303


def test_a_providers_word_is_independent_of_ours(tmp_path, store, desk, crew):
    """Another project's provider, built on another library's server side."""
    mock = pytest.importorskip("oidc_provider_mock", reason="needs pip install oidc-provider-mock")
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with mock.run_server_in_thread() as server:
            issuer = f"http://localhost:{server.server_port}"
            own = Provider(issuer, "thunder-desk", SECRET, name="sub")
            store.add_signing_on("kim", Role.REVIEWER, actor="admin")
            client = browser(desk, crew, SignOn(ADDRESS, own))
            there = client.get("/sign-on").headers["location"]
            back = requests.post(there, data={"sub": "kim"}, allow_redirects=False, timeout=10)
            place = urlsplit(back.headers["location"])
            assert client.get(f"{place.path}?{place.query}").status_code == 200


# --- a proxy's header -----------------------------------------------------------------------------

PROXY = Proxy(
    (ipaddress.ip_network("10.0.0.1/32"),), "p" * 32, "x-remote-user", "x-remote-groups", ROLES
)
KEY = {"x-thunder-proxy-secret": "p" * 32}
GROUPS = {"x-remote-groups": "x, desk-readers"}
COMES = [  # from where, with which headers, what becomes of it
    ("10.0.0.1", {"x-remote-user": "kim"} | GROUPS | KEY, 200),
    ("10.0.0.2", {"x-remote-user": "kim"} | GROUPS | KEY, 403),
    ("127.0.0.1", {"x-remote-user": "kim"} | GROUPS | KEY, 403),
    ("10.0.0.1", {"x-remote-user": "kim"} | GROUPS, 403),
    ("10.0.0.1", {"x-remote-user": "kim"} | GROUPS | {"x-thunder-proxy-secret": "q" * 32}, 403),
    ("10.0.0.1", GROUPS | KEY, 403),
    ("10.0.0.1", {"x-remote-user": ""} | GROUPS | KEY, 403),
    ("10.0.0.1", {"x-remote-user": "kim"} | KEY, 403),
    ("10.0.0.1", {"x-remote-user": "kim", "x-remote-groups": "administrator"} | KEY, 403),
    ("10.0.0.2", {"x-forwarded-for": "10.0.0.1", "x-remote-user": "kim"} | GROUPS | KEY, 403),
    ("10.0.0.1", {"x-forwarded-for": "10.9.9.9", "x-remote-user": "kim"} | GROUPS | KEY, 200),
]


def behind(desk, crew, peer, proxy=PROXY):
    app = reviewing(Parts(desk, crew, sign_on=SignOn(proxy=proxy)))
    return TestClient(app, follow_redirects=False, base_url=ADDRESS, client=(peer, 50000))


@pytest.mark.parametrize(("peer", "headers", "status"), COMES)
def test_a_header_counts_from_the_proxy_alone(desk, crew, store, peer, headers, status):
    client = behind(desk, crew, peer)
    assert client.get("/sign-on", headers=headers).status_code == status
    assert [one.name for one in store.users()] == (["kim"] if status == 200 else [])


def test_two_headers_are_refused(desk, crew, store):
    client = behind(desk, crew, "10.0.0.1")
    twice = [("x-remote-user", "admin"), ("x-remote-user", "kim"), *GROUPS.items(), *KEY.items()]
    assert client.get("/sign-on", headers=twice).status_code == 403


def test_a_session_by_the_proxy_lasts_as_long_as_the_proxy_says_so(desk, crew, store):
    client = behind(desk, crew, "10.0.0.1")
    kim = {"x-remote-user": "kim"} | GROUPS | KEY
    client.get("/sign-on", headers=kim)
    assert client.get("/", headers=kim).status_code == 200
    assert client.get("/").headers["location"] == "/sign-in"
    assert client.get("/", headers=kim | {"x-remote-user": "lee"}).status_code == 303
    elsewhere = behind(desk, crew, "10.0.0.2")
    elsewhere.cookies.update(client.cookies)
    assert elsewhere.get("/", headers=kim).status_code == 403


def test_local_accounts_come_in_beside_the_proxy(desk, crew, people):
    client = behind(desk, crew, "127.0.0.1")
    data = {"name": "reviewer", "password": "a long password"}
    assert client.post("/sign-in", data=data).status_code == 303
    assert client.get("/").status_code == 200


def test_a_header_means_nothing_where_no_proxy_is_set(desk, crew, store):
    client = browser(desk, crew, SignOn())
    kim = {"x-remote-user": "kim"} | GROUPS | KEY
    assert client.get("/sign-on", headers=kim).status_code == 404
    assert client.get("/", headers=kim).headers["location"] == "/sign-in"


def test_the_browsers_address_is_the_trusted_proxys_word(desk, crew):
    """Guesses are counted by browser, also behind the proxy."""
    client = behind(desk, crew, "10.0.0.1")

    def guess(browser):
        data, headers = {"name": "x", "password": "y"}, {"x-forwarded-for": browser}
        return client.post("/sign-in", data=data, headers=headers).status_code

    assert [guess("10.5.5.5") for _ in range(40)][-1] == 429
    assert guess("10.5.5.6") == 403


# --- the file of settings -------------------------------------------------------------------------

OIDC = """
address = "https://desk.court.example"
[oidc]
issuer = "https://login.court.example"
client_id = "thunder-desk"
client_secret = "s"
claim = "groups"
[oidc.roles]
desk-readers = "reviewer"
"""
BY_PROXY = f"""
[proxy]
addresses = ["127.0.0.1/32"]
secret = "{"p" * 32}"
"""


def written(tmp_path, text, mode=0o600):
    path = tmp_path / "sign-on.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def test_the_settings_are_read(tmp_path):
    found = sign_on.read(written(tmp_path, OIDC))
    assert found.provider.roles == {"desk-readers": Role.REVIEWER}
    assert "client_secret" not in repr(found)
    found = sign_on.read(written(tmp_path, BY_PROXY))
    assert found.proxy.header == "x-remote-user"


WRONG = [
    (OIDC.replace('"reviewer"', '"administrator"'), "made by administrators"),
    (OIDC.replace('"reviewer"', '"king"'), "king"),
    (OIDC.replace("https://login", "http://login"), "oidc.issuer is an https"),
    (OIDC.replace('address = "https://desk.court.example"', ""), "address"),
    (OIDC.replace('client_secret = "s"', ""), "client_secret"),
    (OIDC.replace('claim = "groups"', ""), "go together"),
    (OIDC.replace("client_id", "client"), "oidc.client is no setting"),
    (OIDC + BY_PROXY, "either"),
    ("", "either"),
    (BY_PROXY.replace("p" * 32, "short"), "32"),
    (BY_PROXY.replace("127.0.0.1/32", "0.0.0.0/0"), "everybody"),
    (BY_PROXY.replace("127.0.0.1/32", "localhost"), "localhost"),
    (BY_PROXY + 'groups = "X-Groups"', "go together"),
    ("[oidc", "sign-on.toml"),
]


@pytest.mark.parametrize(("text", "said"), WRONG)
@pytest.mark.usefixtures("english")
def test_settings_that_are_wrong_are_named(tmp_path, text, said):
    with pytest.raises(ValueError, match=said) as found:
        sign_on.read(written(tmp_path, text))
    assert "sign-on.toml" in str(found.value)


def test_settings_that_others_can_read_are_refused(tmp_path):
    with pytest.raises(ValueError, match="chmod 600"):
        sign_on.read(written(tmp_path, OIDC, 0o644))


def test_what_is_derived_tells_nothing_of_the_secret():
    made = {sign_on.derived("secret", one) for one in ("state", "nonce", "verifier")}
    assert len(made) == 3
    assert all(len(one) == 64 for one in made)
