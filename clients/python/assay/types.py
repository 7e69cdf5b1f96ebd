"""The replies of the typical flow; every reply may have more members."""

from __future__ import annotations

from typing import TypedDict


class ErrorObject(TypedDict, total=False):
    code: str
    field: str
    message: str


class Identity(TypedDict, total=False):
    id: str
    status: str
    levelOfAssurance: str
    creationDateTime: str


class Submitted(TypedDict):
    id: str
    type: str
    status: str


class Evidence(TypedDict, total=False):
    id: str
    type: str
    status: str
    errors: list[ErrorObject]


class IdentityStatus(TypedDict):
    globalStatus: Identity
    singleStatuses: list[Evidence]
