"""A small OpenID Connect provider, run as a process: codes once, PKCE, secrets, all asked for.

It asks nobody, and vouches for whom its file names; ``wrong`` there makes it lie in one way.
``python provider.py ISSUER-FILE PERSON-FILE [NAME]``
"""

import base64
import hashlib
import json
import secrets
import socket
import sys
import time
from pathlib import Path
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Form, Header, Request
from fastapi.responses import JSONResponse, RedirectResponse
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "thunder-desk", "a secret of the client"


def made(issuer, people):
    app, codes, tokens = FastAPI(), {}, {}
    keys = [RSAKey.generate_key(2048, {"kid": f"key-{at}", "use": "sig"}) for at in range(2)]

    def said():
        return json.loads(people.read_text("utf-8"))

    @app.get("/.well-known/openid-configuration")
    def description():
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "userinfo_endpoint": f"{issuer}/userinfo",
            "jwks_uri": f"{issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    @app.get("/keys")
    def public_keys():
        return KeySet(keys[:1]).as_dict(private=False)

    @app.get("/authorize")
    def authorize(request: Request):
        asked = dict(request.query_params)
        needed = {"response_type": "code", "client_id": CLIENT, "code_challenge_method": "S256"}
        is_whole = all(asked.get(key) == value for key, value in needed.items())
        if not is_whole or not all(asked.get(key) for key in ("state", "nonce", "code_challenge")):
            return JSONResponse({"error": "invalid_request"}, 400)
        code = secrets.token_urlsafe()
        codes[code] = asked
        back = asked["redirect_uri"]
        return RedirectResponse(f"{back}?code={code}&state={asked['state']}&iss={issuer}", 302)

    @app.post("/token")
    def token(
        code: Annotated[str, Form()],
        code_verifier: Annotated[str, Form()],
        redirect_uri: Annotated[str, Form()],
        authorization: Annotated[str, Header()],
    ):
        asked = codes.pop(code, None)
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest())
        if (
            asked is None
            or authorization != f"Basic {basic}"
            or redirect_uri != asked["redirect_uri"]
            or challenge.decode().rstrip("=") != asked["code_challenge"]
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        person, now = said(), time.time()
        wrong = person.get("wrong", "")
        claims = {
            "iss": "https://elsewhere.example" if wrong == "issuer" else issuer,
            "aud": ["another"] if wrong == "audience" else CLIENT,
            "sub": person["sub"],
            "exp": int(now) + (-3600 if wrong == "expired" else 300),
            "iat": int(now),
            "nonce": "another" if wrong == "nonce" else asked["nonce"],
        }
        if wrong == "two audiences":
            claims["aud"] = [CLIENT, "another"]
        if not person.get("claims_by_userinfo"):
            claims |= person["claims"]
        header = {"alg": "RS256", "kid": "key-0"}
        if wrong == "unsigned":
            parts = [{"alg": "none"}, claims]
            cells = [base64.urlsafe_b64encode(json.dumps(one).encode()) for one in parts]
            signed = ".".join(cell.decode().rstrip("=") for cell in cells) + "."
        else:
            signed = jwt.encode(header, claims, keys[1 if wrong == "key" else 0])
        access = secrets.token_urlsafe()
        tokens[access] = person
        answer = {"access_token": access, "token_type": "Bearer", "expires_in": 300}
        return answer | {"id_token": signed}

    @app.get("/userinfo")
    def userinfo(authorization: Annotated[str, Header()]):
        person = tokens[authorization.removeprefix("Bearer ")]
        sub = "another" if person.get("wrong") == "userinfo" else person["sub"]
        return {"sub": sub, **person["claims"]}

    return app


if __name__ == "__main__":
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    name = sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1"
    issuer = f"http://{name}:{listening.getsockname()[1]}"
    Path(sys.argv[1]).write_text(issuer, encoding="utf-8")
    app = made(issuer, Path(sys.argv[2]))
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run([listening])
