"""Builds the wheel and the source archive with the standard library alone (PEP 517): the package's files and what names them. Both are the same to the last byte each time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).parent
NAME = "assay_client"
VERSION = re.search(r'^version = "(.+)"$', (HERE / "pyproject.toml").read_text(), re.MULTILINE).group(1)
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: assay-client
Version: {VERSION}
Summary: Client of Assay, an identity-proofing service
License: Apache-2.0
Requires-Python: >=3.10
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
EPOCH = (1980, 1, 1, 0, 0, 0)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def _package() -> dict[str, bytes]:
    return {f"assay/{path.name}": path.read_bytes() for path in sorted((HERE / "assay").iterdir()) if path.is_file()}


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    files = _package()
    files[f"{INFO}/METADATA"] = METADATA.encode()
    files[f"{INFO}/WHEEL"] = WHEEL.encode()
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{INFO}/RECORD"] = "\n".join([*record, f"{INFO}/RECORD,,", ""]).encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w") as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    files = _package()
    files["PKG-INFO"] = METADATA.encode()
    for name in ["README.md", "build_wheel.py", "pyproject.toml"]:
        files[name] = (HERE / name).read_bytes()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{NAME}-{VERSION}/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    name = f"{NAME}-{VERSION}.tar.gz"
    (pathlib.Path(sdist_directory) / name).write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return name
