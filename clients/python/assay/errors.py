"""What a call may fail with."""

from __future__ import annotations

from typing import Any


class AssayError(Exception):
    """Every failure of this package."""


class Refused(AssayError):
    """The service refused a call, or failed. `errors` are the objects of docs/errors.md."""

    def __init__(self, status: int, errors: list[dict[str, str]], request_id: str | None, retry_after: float | None):
        said = errors[0].get("message") if errors else None
        super().__init__(f"{said or f'the service answered {status}'} (request {request_id})")
        self.status = status
        self.errors = errors
        self.request_id = request_id
        self.retry_after = retry_after


class Unreachable(AssayError):
    """Nobody answered. What the call asks may have been done all the same."""


class TimedOut(AssayError):
    """What was waited for did not come in time; `last` is what was there at the end."""

    def __init__(self, message: str, last: Any):
        super().__init__(message)
        self.last = last
