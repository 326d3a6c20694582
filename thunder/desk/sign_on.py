"""Sign-on by the court: an OpenID Connect provider, or a proxy that says in a header who asks.

One file of the court's settings says which (TOML, its owner's alone, as secrets stand in it):

.. code-block:: toml

    address = "https://desk.court.example"      # how browsers reach the desk
    [oidc]
    issuer = "https://login.court.example"
    client_id = "thunder-desk"
    client_secret = "…"
    name = "preferred_username"                 # the claim that people are called by
    ca = "/etc/ssl/court.pem"                   # where the court has an authority of its own
    claim = "groups"                            # with it, what this claim holds gives the role
    [oidc.roles]
    desk-readers = "reviewer"

or instead of ``[oidc]``, for a proxy that has asked already:

.. code-block:: toml

    [proxy]
    addresses = ["127.0.0.1/32"]                # from where its requests come, nobody else's
    secret = "…"                                # that it sends as X-Thunder-Proxy-Secret
    header = "X-Remote-User"
    groups = "X-Remote-Groups"                  # with it, separated by commas
    [proxy.roles]
    desk-readers = "reviewer"

OpenID Connect Core 1.0, authorisation code flow, with PKCE (RFC 7636, S256), ``state``, ``nonce``
and the issuer of the answer (RFC 9207). State, nonce and verifier come of one secret, which
only the browser that began has, as a cookie; what was begun elsewhere is not ended here.
"""

import hashlib
import hmac
import ipaddress
import stat
import threading
import time
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from thunder.desk import setting_messages as say
from thunder.desk.accounts import Denied, Identity
from thunder.desk.states import Role
from thunder.text.safe_errors import place_of

CALLBACK = "/sign-on/back"
SECRET_HEADER = "x-thunder-proxy-secret"
_ALGORITHMS = ("RS256", "PS256", "ES256", "ES384", "RS512", "PS512", "Ed25519", "EdDSA")
_SECONDS, _FRESH, _LEEWAY = 10.0, 3600.0, 60
_LEAST_SECRET = 32


class Unreachable(Exception):
    """The court's provider does not answer, or not as OpenID Connect says; why holds no secret."""


@dataclass(frozen=True, slots=True)
class Provider:
    """An OpenID Connect provider, and how its claims are read."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str = "preferred_username"
    claim: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)
    scope: str = "openid profile"
    ca: str = ""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy that has asked who somebody is, and where its requests come from."""

    addresses: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
    secret: str = field(repr=False)
    header: str = "x-remote-user"
    groups: str = ""
    roles: Mapping[str, Role] = field(default_factory=dict)

    def identity(self, peer: str, headers: Headers) -> Identity | None:
        """Return whom the proxy vouches for; None without the header.

        Denied where the header comes from elsewhere, without the proxy's secret, or twice.
        """
        names = headers.getlist(self.header)
        if not names:
            return None
        secrets = headers.getlist(SECRET_HEADER)
        is_the_proxys = _is_in(peer, self.addresses) and len(names) == len(secrets) == 1
        if not is_the_proxys or not hmac.compare_digest(
            secrets[0].encode("latin-1"), self.secret.encode()
        ):
            raise Denied("proxy")
        (name,) = names
        said = headers.getlist(self.groups) if self.groups else []
        groups = [one.strip() for line in said for one in line.split(",")]
        return Identity("proxy", name, name, _role(groups, self.roles), bool(self.groups))


@dataclass(frozen=True, slots=True)
class SignOn:
    """How the court's people sign on, beside local accounts."""

    address: str = ""
    provider: Provider | None = None
    proxy: Proxy | None = None


def read(path: Path) -> SignOn:
    """Return the settings of the file *path*; ValueError names it and what to change."""
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ValueError(say.OPEN_SECRETS(path=path))
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
        return _settings(said)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = say.MISSING(key=error) if isinstance(error, KeyError) else error
        raise ValueError(f"{path}: {what}") from None


def _settings(said: Mapping[str, Any]) -> SignOn:
    _require_known(said, {"address", "oidc", "proxy"}, "")
    if ("oidc" in said) == ("proxy" in said):
        raise ValueError(say.ONE_WAY())
    if "proxy" in said:
        return SignOn(str(said.get("address", "")), proxy=_proxy(said["proxy"]))
    own = said["oidc"]
    _require_known(
        own,
        {"issuer", "client_id", "client_secret", "name", "claim", "roles", "scope", "ca"},
        "oidc.",
    )
    roles = _roles(own.get("roles", {}))
    if bool(own.get("claim")) != bool(roles):
        raise ValueError(say.TOGETHER(one="oidc.claim", other="oidc.roles"))
    texts = {key: str(value) for key, value in own.items() if key != "roles"}
    for key in ("issuer", "client_id", "client_secret"):
        if not texts[key]:
            raise ValueError(say.EMPTY(key=f"oidc.{key}"))
    _require_safe(texts["issuer"], "oidc.issuer")
    _require_safe(str(said["address"]), "address")
    return SignOn(str(said["address"]).rstrip("/"), Provider(**texts, roles=roles))


def _proxy(own: Mapping[str, Any]) -> Proxy:
    _require_known(own, {"addresses", "secret", "header", "groups", "roles"}, "proxy.")
    roles = _roles(own.get("roles", {}))
    if bool(own.get("groups")) != bool(roles):
        raise ValueError(say.TOGETHER(one="proxy.groups", other="proxy.roles"))
    if len(own["secret"]) < _LEAST_SECRET:
        raise ValueError(say.SECRET(least=_LEAST_SECRET))
    networks = tuple(ipaddress.ip_network(one) for one in own["addresses"])
    if not networks or any(one.prefixlen == 0 for one in networks):
        raise ValueError(say.OWN_ADDRESSES())
    return Proxy(
        networks,
        own["secret"],
        own.get("header", "X-Remote-User").lower(),
        own.get("groups", "").lower(),
        roles,
    )


def _require_known(said: Mapping[str, Any], known: set[str], place: str) -> None:
    for key in set(said) - known:
        raise ValueError(say.NO_SETTING(key=f"{place}{key}"))


def _require_safe(url: str, what: str) -> None:
    parts = urlsplit(url)
    is_local = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and is_local)):
        raise ValueError(say.SAFE_ADDRESS(key=what))


def _roles(said: Mapping[str, str]) -> dict[str, Role]:
    roles = {group: Role(role) for group, role in said.items()}
    if Role.ADMINISTRATOR in roles.values():
        raise ValueError(say.ADMINISTRATORS())
    return roles


def _role(groups: Iterable[str], roles: Mapping[str, Role]) -> Role | None:
    """Return the role of the first group of *roles* that is among *groups*."""
    given = set(groups)
    return next((role for group, role in roles.items() if group in given), None)


def _is_in(peer: str, networks: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return any((mapped or address) in one for one in networks)


# --- OpenID Connect -------------------------------------------------------------------------------


class Flow:
    """The code flow with one provider, whose description and keys are kept for an hour."""

    def __init__(self, settings: SignOn) -> None:
        import joserfc  # noqa: F401

        assert settings.provider is not None
        self._own, self._address = settings.provider, settings.address
        self._known: tuple[float, dict[str, Any], dict[str, Any]] | None = None
        self._lock = threading.Lock()

    def begin(self, secret: str) -> str:
        """Return where the browser that has *secret* goes to sign on; Unreachable."""
        with self._session() as session:
            url, _ = session.create_authorization_url(
                self._described()["authorization_endpoint"],
                state=derived(secret, "state"),
                nonce=derived(secret, "nonce"),
                code_verifier=derived(secret, "verifier"),
            )
        return str(url)

    def end(self, secret: str, answer: Mapping[str, str]) -> Identity:
        """Return who has signed on, by the *answer* that the browser of *secret* brought back.

        Denied for one that was not begun by it, or is not the provider's word; Unreachable.
        """
        state = derived(secret, "state")
        if not hmac.compare_digest(answer.get("state", "").encode(), state.encode()):
            raise Denied("state")
        if answer.get("iss", self._own.issuer) != self._own.issuer or "code" not in answer:
            raise Denied("answer")
        try:
            claims = self._claims(answer["code"], secret)
        except (Denied, Unreachable):
            raise
        except Exception as error:  # what libraries say may quote tokens
            raise Denied(place_of(error)) from None
        name = claims.get(self._own.name)
        if not isinstance(name, str):
            raise Denied("name")
        if not self._own.claim:
            return Identity(self._own.issuer, claims["sub"], name)
        given = claims.get(self._own.claim, [])
        groups = given if isinstance(given, list) else str(given).split()
        role = _role(map(str, groups), self._own.roles)
        return Identity(self._own.issuer, claims["sub"], name, role, has_roles=True)

    def _claims(self, code: str, secret: str) -> dict[str, Any]:
        """Return the claims of the ID token that *code* is exchanged for, all of it checked."""
        described = self._described()
        with self._session() as session:
            token = session.fetch_token(
                described["token_endpoint"],
                grant_type="authorization_code",
                code=code,
                code_verifier=derived(secret, "verifier"),
                timeout=_SECONDS,
            )
            claims = self._checked(token["id_token"], derived(secret, "nonce"))
            wanted = {self._own.name, self._own.claim} - {""}
            if not wanted <= set(claims) and described.get("userinfo_endpoint"):
                more = session.get(described["userinfo_endpoint"], timeout=_SECONDS).json()
                if more.get("sub") != claims["sub"]:
                    raise Denied("userinfo")
                claims = {**more, **claims}
        return claims

    def _checked(self, token: str, nonce: str) -> dict[str, Any]:
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        def decoded_by(keys: Any) -> jwt.Token:
            return jwt.decode(token, KeySet.import_key_set(keys), algorithms=list(_ALGORITHMS))

        try:
            decoded = decoded_by(self._keys())
        except (JoseError, ValueError):  # another key than those that are kept
            self._known = None
            decoded = decoded_by(self._keys())
        claims: dict[str, Any] = dict(decoded.claims)
        jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": self._own.issuer},
            aud={"essential": True, "value": self._own.client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        ).validate(claims)
        audience = claims["aud"]
        is_alone = audience in (self._own.client_id, [self._own.client_id])
        if not is_alone and claims.get("azp") != self._own.client_id:
            raise Denied("azp")
        return claims

    def _session(self) -> Any:
        from authlib.integrations.requests_client import OAuth2Session

        session = OAuth2Session(
            self._own.client_id,
            self._own.client_secret,
            scope=self._own.scope,
            redirect_uri=f"{self._address}{CALLBACK}",
            code_challenge_method="S256",
        )
        session.verify = self._own.ca or True
        return session

    def _described(self) -> dict[str, Any]:
        return self._fetched()[0]

    def _keys(self) -> Any:
        return self._fetched()[1]

    def _fetched(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what the provider says of itself, and its keys."""
        import requests

        with self._lock:
            if self._known is None or self._known[0] < time.monotonic() - _FRESH:
                verify = self._own.ca or True
                place = self._own.issuer.rstrip("/") + "/.well-known/openid-configuration"
                try:
                    said = requests.get(place, timeout=_SECONDS, verify=verify).json()
                    if said["issuer"] != self._own.issuer:
                        raise Unreachable("it calls itself by another name")
                    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                        _require_safe(said[name], name)
                    keys = requests.get(said["jwks_uri"], timeout=_SECONDS, verify=verify).json()
                except (OSError, ValueError, KeyError, TypeError) as error:
                    raise Unreachable(place_of(error)) from None
                self._known = (time.monotonic(), said, keys)
            return self._known[1], self._known[2]


def derived(secret: str, purpose: str) -> str:
    """Return what *secret* gives for *purpose*: 64 characters that tell nothing of it."""
    return hmac.digest(secret.encode(), purpose.encode(), hashlib.sha256).hex()
