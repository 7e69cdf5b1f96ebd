"""The client of Assay: its API, webhooks, and proofs verified offline, with the standard library alone."""

from .client import Client
from .errors import AssayError, Refused, TimedOut, Unreachable
from .proof import Report, verify_proof
from .types import Evidence, Identity, IdentityStatus, Submitted
from .webhook import verify_webhook

__all__ = [
    "AssayError",
    "Client",
    "Evidence",
    "Identity",
    "IdentityStatus",
    "Refused",
    "Report",
    "Submitted",
    "TimedOut",
    "Unreachable",
    "verify_proof",
    "verify_webhook",
]
