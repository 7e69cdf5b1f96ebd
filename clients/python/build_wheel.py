"""Builds the wheel with the standard library alone (PEP 517): the package's files and what names them."""

from __future__ import annotations

import base64
import hashlib
import pathlib
import zipfile

HERE = pathlib.Path(__file__).parent
NAME, VERSION = "assay_client", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: assay-client
Version: {VERSION}
Summary: Client of Assay, an identity-proofing service
License: Apache-2.0
Requires-Python: >=3.10
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    files = {f"assay/{path.name}": path.read_bytes() for path in sorted((HERE / "assay").iterdir()) if path.is_file()}
    files[f"{INFO}/METADATA"] = METADATA.encode()
    files[f"{INFO}/WHEEL"] = WHEEL.encode()
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{INFO}/RECORD"] = "\n".join([*record, f"{INFO}/RECORD,,", ""]).encode()
    name = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return name
