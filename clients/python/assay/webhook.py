"""Webhooks: does this come from the service?"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Literal, Mapping

Mode = Literal["NONE", "API_KEY", "HMAC"]


def verify_webhook(
    body: bytes, headers: Mapping[str, str], *, mode: Mode, header_name: str = "", secret: str = ""
) -> bool:
    """True when it does. `body`: the raw bytes as they came. A receiver answers 401 to what does not."""
    if mode == "NONE":
        return True
    received = next((value for name, value in headers.items() if name.lower() == header_name.lower()), None)
    if received is None or secret == "":
        return False
    key = secret.encode()
    expected = base64.b64encode(hmac.new(key, body, hashlib.sha256).digest()) if mode == "HMAC" else key
    return hmac.compare_digest(received.encode(), expected)
