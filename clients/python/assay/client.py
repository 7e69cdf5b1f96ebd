"""The service's API with one key, or with the token of a user-agent session."""

from __future__ import annotations

import json
import re
import time
import urllib.parse
import urllib.request
from typing import Any, Callable, Mapping, TypeVar

from .answer import missing_in
from .errors import TimedOut, Unreachable
from .transport import ROUTES, filled, form_of, send
from .types import Evidence, Identity, IdentityStatus, Submitted

T = TypeVar("T")
STABLE = ("VERIFIED", "NOT_VERIFIED", "INVALID")


class Client:
    """Every call of the OpenAPI document by `call`, and the typical flow by name."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        session_token: str | None = None,
        prefix: str = "svc",
        timeout: float = 30.0,
        retries: int = 3,
    ):
        parts = urllib.parse.urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url must be an address such as https://assay.example, not {base_url!r}")
        # A key that was read from a file with its line end: what complains of it later would show the key.
        if not all(re.fullmatch(r"([!-~]([ -~]*[!-~])?)?", secret or "") for secret in (api_key, session_token)):
            raise ValueError("the key or token must be printable ASCII, without blanks or line ends around it")
        self.base_url = base_url.rstrip("/")
        self._prefix = prefix
        self._timeout = timeout
        self._retries = retries
        self._credentials = (
            {"authorization": f"Bearer {session_token}"} if session_token is not None else {"apikey": api_key or ""}
        )

    def call(
        self,
        operation: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Any:
        """Any call by its operationId. Raises Refused or Unreachable; answers what the JSON says, bytes of what is none."""
        method, template, kind, reply = ROUTES[operation]
        url = self.base_url + filled(template, {"prefix": self._prefix, **(path or {})})
        if query:
            url += "?" + urllib.parse.urlencode(query)
        headers = dict(self._credentials)
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        data: bytes | None = None
        if body is not None:
            if kind == "form":
                data, headers["content-type"] = form_of(body)
            else:
                data, headers["content-type"] = json.dumps(body).encode(), "application/json"
        content, _ = send(
            url,
            method,
            headers,
            data,
            timeout=self._timeout if timeout is None else timeout,
            retries=self._retries if retries is None else retries,
        )
        if reply == "bytes":
            return content
        try:
            answer = json.loads(content) if content else None
        except (ValueError, RecursionError):
            raise Unreachable(f"{self.base_url} does not answer like a suite: no JSON") from None
        missing = missing_in(operation, answer)
        if missing is not None:
            raise Unreachable(f"{self.base_url} does not answer like a suite: there is no {missing}")
        return answer

    # The typical flow.

    def create_identity(self, business_id: str | None = None) -> Identity:
        context = [] if business_id is None else [{"key": "BUSINESS_ID", "value": business_id}]
        return self.call("createIdentity", body={"context": context})

    def consent(self, identity_id: str, *types: str, approved: bool = True) -> list[dict[str, Any]]:
        given = [{"type": one, "approved": approved} for one in types]
        return self.call("submitConsents", path={"identityId": identity_id}, body=given)

    def submit_document(
        self, identity_id: str, front: bytes, back: bytes | None = None, details: Mapping[str, Any] | None = None
    ) -> Submitted:
        parts: dict[str, Any] = {"DocumentFront": front}
        if back is not None:
            parts["DocumentBack"] = back
        if details is not None:
            parts["DocumentCaptureDetails"] = dict(details)
        return self.call("captureDocument", path={"identityId": identity_id}, body=parts)

    def submit_document_text(self, identity_id: str, document: Mapping[str, Any]) -> Submitted:
        return self.call("submitDocument", path={"identityId": identity_id}, body=dict(document))

    def submit_portrait(self, identity_id: str, portrait: bytes) -> Submitted:
        return self.call("capturePortrait", path={"identityId": identity_id}, body={"Portrait": portrait})

    def evidence(self, identity_id: str, evidence_id: str) -> Evidence:
        return self.call("getEvidenceStatus", path={"identityId": identity_id, "evidenceId": evidence_id})

    def identity(self, identity_id: str) -> dict[str, Any]:
        return self.call("getIdentity", path={"identityId": identity_id})

    def identity_status(self, identity_id: str) -> IdentityStatus:
        return self.call("getIdentityStatus", path={"identityId": identity_id})

    def wait_for_evidence(self, identity_id: str, evidence_id: str, patience: float = 60.0) -> Evidence:
        """Waits until it is VERIFIED, NOT_VERIFIED or INVALID; raises TimedOut."""
        return _wait(
            f"evidence {evidence_id} is still being verified",
            lambda: self.evidence(identity_id, evidence_id),
            lambda one: one["status"] in STABLE,
            patience,
        )

    def wait_for_identity(self, identity_id: str, patience: float = 60.0) -> IdentityStatus:
        """Waits until nothing of it is being verified: from then on its proof can be had."""
        return _wait(
            f"identity {identity_id} is still PROCESSING",
            lambda: self.identity_status(identity_id),
            lambda one: one["globalStatus"]["status"] != "PROCESSING",
            patience,
        )

    def create_link(self, identity_id: str, **options: Any) -> dict[str, str]:
        """A link to the capture page: steps, locale, returnUrl, expiresInSeconds."""
        return self.call("createUserAgentSession", path={"identityId": identity_id}, body=options)

    def proof(self, identity_id: str) -> bytes:
        """The proof as it is sent. This closes the identity."""
        return self.call("getProof", path={"identityId": identity_id})

    def published_keys(self) -> dict[str, Any]:
        """The keys that verify proofs. Keep them: a proof is verified offline."""
        return self.call("jwks")


def _wait(what: str, ask: Callable[[], T], is_there: Callable[[T], bool], patience: float) -> T:
    deadline = time.monotonic() + patience
    pause = 0.05
    while True:
        answer = ask()
        if is_there(answer):
            return answer
        if time.monotonic() > deadline:
            raise TimedOut(f"{what} after {patience} s", answer)
        time.sleep(pause)
        pause = min(pause * 1.3, 1.0)
