"""Proofs verified offline: the hash of every file, and the signature by a published key.

`assay proof verify` checks more: shapes, consistency, every byte of the ZIP, and chips.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .errors import AssayError

LARGEST = 2 * 1024**3
LARGEST_JSON = 64 * 1024**2
MOST_ENTRIES = 10_000
# Each takes a hundred times its length in memory.
MOST_VALUES = 2_000_000
# Of one entry, unpacked to packed: what is packed further is a bomb.
RATIO = 200
CHUNK = 1024**2
PIECE = 64 * 1024
ENCRYPTED = 0x2041
STREAMED = 0x8
# Extra fields that give an entry another name (Info-ZIP), or make a link of it (ASi, PKWARE).
OTHER_NAMES = {0x7075, 0x756E, 0x000D}
ZIP64 = 0x0001
# The one part of the envelope, as the service writes it: with other headers, programs read it in other ways.
HEAD = re.compile(
    rb'--([^\r\n="]{1,70})\r\nContent-Disposition: form-data; name="proof"; filename="([!-~]*)\.zip"\r\n'
    rb"Content-Type: application/zip\r\n\r\n"
)
# DigestInfo of SHA-256 (RFC 8017, 9.2).
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


@dataclass
class Report:
    """What a verification found. Rely on the proof only where `ok` is true."""

    ok: bool = False
    reasons: list[str] = field(default_factory=list)
    proof_id: str | None = None
    identity_id: str | None = None
    # It comes from a sandbox: its outcomes were played, and it proves nobody.
    sandbox: bool = False


def _decoded(text: str) -> bytes:
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if base64.urlsafe_b64encode(raw).rstrip(b"=").decode() != text:
        raise ValueError("not the canonical spelling")
    return raw


def _archive(content: bytes) -> tuple[bytes, str | None]:
    """The ZIP inside of the MIME envelope, and the name it has there; or the bare ZIP."""
    if content.startswith(b"PK"):
        return content, None
    head = HEAD.match(content)
    if not head:
        raise ValueError("neither an envelope nor a ZIP")
    delimiter, body = b"--" + head[1], content[head.end() :].removesuffix(b"\r\n")
    end = b"\r\n" + delimiter + b"--"
    if not body.endswith(end):
        raise ValueError("the envelope does not end with its boundary")
    # Readers of envelopes end the part there, some behind any end of a line, and unpack something else.
    if delimiter in body[: -len(end)]:
        raise ValueError("the envelope's boundary stands within the archive")
    return body[: -len(end)], head[2].decode()


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= 4:
        end = 4 + int.from_bytes(extra[2:4], "little")
        yield int.from_bytes(extra[:2], "little"), extra[4:end]
        extra = extra[end:]


def _checked(entries: list[zipfile.ZipInfo], called: str | None) -> None:
    if len(entries) > MOST_ENTRIES:
        raise ValueError("it has more entries than a proof has")
    # As the archive has them: zipfile ends a name at a NUL, and turns separators of Windows around.
    names = [one.orig_filename for one in entries]
    roots = {name.split("/", 1)[0] for name in names if "/" in name}
    steps = {step for name in names for step in name.removesuffix("/").split("/")}
    if steps & {"", ".", ".."} or any(not re.fullmatch(r"[!-\[\]-~]+", name) for name in names):
        raise ValueError("a name leaves the folder, or is not of printable ASCII")
    if len({name.lower() for name in names}) != len(names) or len(roots) != 1 or any("/" not in name for name in names):
        raise ValueError("a name comes twice, or there is more than one folder")
    if called is not None and roots != {called}:
        raise ValueError("the envelope names another archive")
    methods = {one.compress_type for one in entries}
    if any(one.flag_bits & ENCRYPTED for one in entries) or methods - {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise ValueError("an entry is encrypted, or neither stored nor deflated")
    if any(one.is_dir() and one.file_size > 0 for one in entries):
        raise ValueError("a folder has content")
    if any(identifier in OTHER_NAMES for one in entries for identifier, _ in _extra_fields(one.extra)):
        raise ValueError("an entry has a second name")
    # Whatever system they say to be of: programs make links for more of them than Unix.
    if any(one.external_attr >> 28 not in (0, 4 if one.is_dir() else 8) for one in entries):
        raise ValueError("an entry is neither a file nor a folder")
    # In this order what is in a folder comes right behind it.
    in_order = sorted(names)
    if any(name.endswith("/") and not after.startswith(name) for name, after in zip(in_order, [*in_order[1:], ""])):
        raise ValueError("there is a folder that no file is in")
    if any(one.file_size > max(CHUNK, one.compress_size * RATIO) for one in entries):
        raise ValueError("an entry grows out of proportion")
    if sum(one.file_size for one in entries) > LARGEST:
        raise ValueError("it is too large to be read")


def _begin(archive: bytes, one: zipfile.ZipInfo) -> int:
    """Where the data of an entry begin, once the header before them says what the directory says.

    Programs differ in which of the two they believe.
    """
    at = one.header_offset + 30
    flags, method, _, _, crc, packed, size, name, extra = struct.unpack("<4H3L2H", archive[at - 24 : at])
    fields = list(_extra_fields(archive[at + name : at + name + extra]))
    sizes = [content for identifier, content in fields if identifier == ZIP64]
    if len(sizes) == 1 and (size, packed) == (0xFFFFFFFF, 0xFFFFFFFF):
        size, packed = struct.unpack("<2Q", sizes[0][:16])
    later = {0} if flags & STREAMED else set()
    if archive[at - 30 : at - 26] != b"PK\x03\x04":
        raise ValueError("an entry has no header")
    if archive[at : at + name] != one.orig_filename.encode():
        raise ValueError("an entry has two names")
    if (flags, method) != (one.flag_bits, one.compress_type) or OTHER_NAMES & {identifier for identifier, _ in fields}:
        raise ValueError("the two headers of an entry differ")
    if crc not in {one.CRC} | later or packed not in {one.compress_size} | later or size not in {one.file_size} | later:
        raise ValueError("the two headers of an entry differ")
    return at + name + extra


def _unpacked(archive: bytes, one: zipfile.ZipInfo) -> Iterator[bytes]:
    """The data of an entry. Its packed bytes end with them: who reads on from there finds no other entry."""
    begin = _begin(archive, one)
    stream = zlib.decompressobj(-zlib.MAX_WBITS) if one.compress_type == zipfile.ZIP_DEFLATED else None
    crc = size = 0
    for at in range(begin, begin + one.compress_size, PIECE):
        packed = archive[at : min(at + PIECE, begin + one.compress_size)]
        while packed:
            if stream and stream.eof:
                raise ValueError("there are bytes behind the data of an entry")
            chunk = stream.decompress(packed, CHUNK) if stream else packed
            packed = stream.unconsumed_tail or stream.unused_data if stream else b""
            crc, size = zlib.crc32(chunk, crc), size + len(chunk)
            if size > one.file_size:
                raise ValueError("an entry has more bytes than it says")
            yield chunk
    if (crc, size) != (one.CRC, one.file_size) or (stream and not stream.eof):
        raise ValueError("the data of an entry cannot be unpacked")


def _is_end(archive: bytes, entries: list[zipfile.ZipInfo], directory: int) -> bool:
    """Whether the end of the archive says what was read: other programs believe it where zipfile does not."""
    count, wide = len(entries), archive[-42:-38] == b"PK\x06\x07"
    behind = len(archive) - (98 if wide else 22)
    real = (count, count, behind - directory, directory)
    told = struct.unpack("<2H2L", archive[-14:-2])
    most = (0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
    if any(one != own and not (wide and one == top) for one, own, top in zip(told, real, most)):
        return False
    if wide and not set(zip(told, most)) & set(zip(most, most)):
        return False
    if wide and struct.unpack("<4sQ4x2L4Q4xLQL", archive[-98:-22]) != (b"PK\x06\x06", 44, 0, 0, *real, 0, behind, 1):
        return False
    return archive[-22:-14] == b"PK\x05\x06" + bytes(4) and archive[-2:] == bytes(2)


def _ends(archive: bytes, one: zipfile.ZipInfo) -> set[int]:
    """Where an entry may end: behind its data or, of a stream, behind the descriptor that says the same again."""
    end = _begin(archive, one) + one.compress_size
    if not one.flag_bits & STREAMED:
        return {end}
    said = one.CRC, one.compress_size, one.file_size
    forms = [signature + struct.pack(form, *said) for signature in (b"", b"PK\x07\x08") for form in ("<3L", "<L2Q")]
    return {end + len(form) for form in forms if archive.startswith(form, end)}


def _is_in_one_piece(archive: bytes, entries: list[zipfile.ZipInfo], directory: int) -> bool:
    """Whether one entry follows on the other: none hides between them that the directory leaves out."""
    ends = {0}
    for one in sorted(entries, key=lambda entry: entry.header_offset):
        if one.header_offset not in ends:
            return False
        ends = _ends(archive, one)
    return directory in ends


def _contents(archive: bytes, called: str | None) -> tuple[str, dict[str, str], bytes]:
    """The folder, the SHA-256 of every file in it by its path, and proof.json; nothing else is kept in memory."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        entries = opened.infolist()
        _checked(entries, called)
        if not _is_end(archive, entries, opened.start_dir) or not _is_in_one_piece(archive, entries, opened.start_dir):
            raise ValueError("there are bytes before, between or behind the entries of the archive")
        digests: dict[str, str] = {}
        for one in entries:
            if not one.is_dir():
                digest = hashlib.sha256()
                for chunk in _unpacked(archive, one):
                    digest.update(chunk)
                digests[one.filename.split("/", 1)[1]] = digest.hexdigest()
        root = entries[0].filename.split("/", 1)[0]
        told = opened.getinfo(f"{root}/proof.json")
        if told.file_size > LARGEST_JSON:
            raise ValueError("proof.json is too large to be read")
        return root, digests, opened.read(told)


def _plain(name: str) -> str:
    """A name of a stranger as it can be printed: nothing in it steers a terminal."""
    return name.encode("unicode_escape").decode()


def _wrong_hashes(proof: dict[str, Any], digests: dict[str, str]) -> list[str]:
    hashes = proof["hashes"]
    named = {f"{name}.json": digest for name, digest in hashes.items() if isinstance(digest, str)}
    for group in hashes.values():
        named.update({one["path"]: one["hash"] for one in group} if isinstance(group, list) else {})
    found = {name: digest for name, digest in digests.items() if name != "proof.json"}
    different = [name for name in sorted({*named, *found}) if named.get(name) != found.get(name)]
    return [f"{_plain(name)}: missing, not named, or altered" for name in different]


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
        root, digests, text = _contents(*_archive(content))
        if text.count(b",") + text.count(b"{") + text.count(b"[") > MOST_VALUES:
            raise ValueError("proof.json has more values than a proof has")
        proof = json.loads(text)
        report.proof_id, report.identity_id = proof.get("proofId"), proof.get("identityId")
        report.sandbox = str(proof.get("tenantUsed", "")).endswith(" sandbox")
        if root != f"{report.identity_id}_{re.sub('[^0-9]', '', str(proof.get('endDateTime')))[:17]:0<17}":
            report.reasons.append("the folder is not named after the identity and the end of proofing")
        report.reasons += _wrong_hashes(proof, digests)
        report.reasons += _signature_reasons(text, proof, jwks["keys"])
    # Whatever the bytes of a stranger lead to, on their way through zipfile, zlib and json, is a refusal.
    except Exception as error:
        report.reasons.append(f"not read: {_plain(str(error)) or type(error).__name__}")
    report.ok = not report.reasons
    return report
