"""Proofs verified offline: the hash of every file, and the signature by a published key.

`assay proof verify` checks more: shapes, consistency, every byte of the ZIP, and chips.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any

from .errors import AssayError

LARGEST = 2 * 1024**3
# DigestInfo of SHA-256 (RFC 8017, 9.2).
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


@dataclass
class Report:
    """What a verification found. Rely on the proof only where `ok` is true."""

    ok: bool = False
    reasons: list[str] = field(default_factory=list)
    proof_id: str | None = None
    identity_id: str | None = None


def _decoded(text: str) -> bytes:
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != text:
        raise ValueError("not the canonical spelling")
    return raw


def _archive(content: bytes) -> tuple[bytes, str | None]:
    """The ZIP inside of the MIME envelope, and the name it has there; or the bare ZIP."""
    if content.startswith(b"PK"):
        return content, None
    delimiter, found, rest = content.partition(b"\r\n")
    end = b"\r\n" + delimiter + b"--\r\n"
    headers, blank, body = rest.partition(b"\r\n\r\n")
    if not (delimiter.startswith(b"--") and found and blank and body.endswith(end)):
        raise ValueError("neither an envelope nor a ZIP")
    name = re.search(rb'filename="([^"]+)\.zip"', headers)
    return body[: -len(end)], name.group(1).decode() if name else ""


def _files(archive: bytes, called: str | None) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        names = opened.namelist()
        roots = {name.split("/", 1)[0] for name in names}
        if len(set(names)) != len(names) or len(roots) != 1 or any(".." in name.split("/") for name in names):
            raise ValueError("a name comes twice, leaves the folder, or there is more than one folder")
        if called is not None and roots != {called}:
            raise ValueError("the envelope names another archive")
        if min(one.header_offset for one in opened.infolist()) != 0 or archive[-22:-18] != b"PK\x05\x06":
            raise ValueError("there are bytes before or behind the archive")
        if sum(one.file_size for one in opened.infolist()) > LARGEST:
            raise ValueError("it is too large to be read")
        return {name.split("/", 1)[1]: opened.read(name) for name in names if not name.endswith("/")}


def _wrong_hashes(proof: dict[str, Any], files: dict[str, bytes]) -> list[str]:
    hashes = proof["hashes"]
    named = {f"{name}.json": digest for name, digest in hashes.items() if isinstance(digest, str)}
    for group in hashes.values():
        named.update({one["path"]: one["hash"] for one in group} if isinstance(group, list) else {})
    found = {name: hashlib.sha256(content).hexdigest() for name, content in files.items() if name != "proof.json"}
    different = [name for name in sorted({*named, *found}) if named.get(name) != found.get(name)]
    return [f"{name}: missing, not named, or altered" for name in different]


def _is_signed(signed: bytes, signature: bytes, key: dict[str, str]) -> bool:
    """RSASSA-PKCS1-v1_5 with SHA-256: the whole padded block is compared."""
    modulus = int.from_bytes(_decoded(key["n"]), "big")
    size = (modulus.bit_length() + 7) // 8
    if len(signature) != size or modulus.bit_length() < 2048:
        return False
    block = pow(int.from_bytes(signature, "big"), int.from_bytes(_decoded(key["e"]), "big"), modulus).to_bytes(size, "big")
    tail = SHA256_INFO + hashlib.sha256(signed).digest()
    return block == b"\x00\x01" + b"\xff" * (size - len(tail) - 3) + b"\x00" + tail


def _signature_reasons(text: bytes, proof: dict[str, Any], keys: list[dict[str, str]]) -> list[str]:
    signature = str(proof.get("signature", ""))
    parts = signature.split(".")
    if len(parts) != 3 or _decoded(parts[0]) != b'{"alg":"RS256"}':
        return ["the signature is none of RS256"]
    # proof.json is its content with the signature behind it, byte for byte.
    content = _decoded(parts[1])
    if content[:-1] + f',"signature":"{signature}"}}'.encode() != text:
        return ["the signature is over something else"]
    signed = f"{parts[0]}.{parts[1]}".encode()
    good = any(_is_signed(signed, _decoded(parts[2]), key) for key in keys if key.get("kty") == "RSA")
    return [] if good else ["no published key made the signature"]


def verify_proof(content: bytes, jwks: dict[str, Any]) -> Report:
    """Verifies a proof, as it was sent or as the bare ZIP, with the published keys."""
    if not content or not jwks.get("keys"):
        raise AssayError("there is nothing to verify, or no key to verify it with")
    report = Report()
    try:
        files = _files(*_archive(content))
        text = files["proof.json"]
        proof = json.loads(text)
        report.proof_id, report.identity_id = proof.get("proofId"), proof.get("identityId")
        report.reasons += _wrong_hashes(proof, files)
        report.reasons += _signature_reasons(text, proof, jwks["keys"])
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, NotImplementedError) as error:
        report.reasons.append(f"not read: {error}")
    report.ok = not report.reasons
    return report
