"""What an answer of a suite has, so that another program at the address is known from one."""

from __future__ import annotations

from typing import Any

LIST = "list"
# What the calls of the typical flow are read by. Where it is missing, no suite answered.
_READ: dict[str, tuple[str, ...] | str] = {
    "createIdentity": ("id",),
    "getIdentity": ("globalStatus",),
    "getIdentityStatus": ("globalStatus", "singleStatuses"),
    "getEvidenceStatus": ("status",),
    "createUserAgentSession": ("url", "token"),
    "submitConsents": LIST,
    "captureDocument": ("id",),
    "capturePortrait": ("id",),
    "submitDocument": ("id",),
}


def missing_in(operation: str, answer: Any) -> str | None:
    """The first of them that an answer has not."""
    read = _READ.get(operation, ())
    if isinstance(read, str):
        return None if isinstance(answer, list) else read
    members = answer if isinstance(answer, dict) else {}
    return next((name for name in read if members.get(name) is None), None)
