"""One call over HTTP: what is sent, what came back, and whether it may be sent again."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from importlib import resources
from typing import Any, Mapping

from .errors import Refused, Unreachable

ROUTES: dict[str, list[str]] = json.loads(resources.files(__package__).joinpath("operations.json").read_text("utf-8"))
PASSING = (408, 429, 502, 503, 504)
IDEMPOTENCY_RUNNING = "4091"
LONGEST_PAUSE = 10.0


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)


def form_of(parts: Mapping[str, Any]) -> tuple[bytes, str]:
    """A multipart form: bytes as files, lists of bytes as a repeated part, everything else as JSON or text."""
    boundary = uuid.uuid4().hex
    body = b""
    for name, value in parts.items():
        for part in value if isinstance(value, list) and value and isinstance(value[0], bytes) else [value]:
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
            if isinstance(part, bytes):
                head += f'; filename="{name}"\r\nContent-Type: application/octet-stream'
            content = part if isinstance(part, bytes) else (part if isinstance(part, str) else json.dumps(part)).encode()
            body += head.encode() + b"\r\n\r\n" + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _refusal(status: int, headers: Mapping[str, str], body: bytes) -> Refused:
    """What a refusal says; one that a proxy wrote in its own words says its status alone."""
    try:
        problem = json.loads(body)
    except (ValueError, RecursionError):
        problem = None
    said = problem if isinstance(problem, dict) else {}
    errors = said.get("errors")
    after = headers.get("retry-after", "")
    return Refused(
        status,
        [one for one in errors if isinstance(one, dict)] if isinstance(errors, list) else [],
        said.get("requestId", headers.get("x-request-id")),
        float(after) if after.isdecimal() else None,
    )


def _passes(error: Exception, method: str) -> bool:
    """May it be sent again? A deletion whose answer was lost may have been done."""
    if isinstance(error, Unreachable):
        return method != "DELETE"
    if not isinstance(error, Refused):
        return False
    return error.status in PASSING or any(one.get("code") == IDEMPOTENCY_RUNNING for one in error.errors)


def _pause(error: Exception, number: int) -> float:
    asked = error.retry_after if isinstance(error, Refused) else None
    if asked is not None:
        return min(asked, 3 * LONGEST_PAUSE)
    return min(0.2 * 2 ** (number - 1), LONGEST_PAUSE) * random.uniform(0.5, 1)


def _answered(request: urllib.request.Request, timeout: float) -> tuple[bytes, Mapping[str, str]]:
    try:
        with _OPENER.open(request, timeout=timeout) as answer:
            return answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        raise _refusal(error.code, error.headers, error.read()) from None


def _attempt(request: urllib.request.Request, timeout: float) -> tuple[bytes, Mapping[str, str]]:
    try:
        return _answered(request, timeout)
    # An answer that is cut, or none of HTTP, is an HTTPException.
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"no answer: {getattr(error, 'reason', None) or error or type(error).__name__}") from None


def send(
    url: str,
    method: str,
    headers: dict[str, str],
    body: bytes | None,
    *,
    timeout: float,
    retries: int,
) -> tuple[bytes, Mapping[str, str]]:
    """Sends a request until it is answered for good. A POST carries one Idempotency-Key for all its attempts."""
    if method == "POST":
        headers = {"idempotency-key": str(uuid.uuid4()), **headers}
    number = 1
    while True:
        own = {"x-request-id": str(uuid.uuid4()), **headers}
        try:
            return _attempt(urllib.request.Request(url, data=body, headers=own, method=method), timeout)
        except (Refused, Unreachable) as error:
            if number > retries or not _passes(error, method):
                raise
            time.sleep(_pause(error, number))
            number += 1


def filled(path: str, names: Mapping[str, str]) -> str:
    """The path with its names filled in. Raises ValueError for an id that would name another path."""

    def value_of(found: re.Match[str]) -> str:
        value = names.get(found[1], "")
        # Of an identity instead of its evidence, say, once a proxy has tidied the path.
        if value in ("", ".", ".."):
            raise ValueError(f"{found[1]} must be an id, not {value!r}")
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{(\w+)\}", value_of, path)
