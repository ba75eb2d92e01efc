"""Checks a downloaded ZIP against its manifest."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from typing import Any, Dict, IO, Optional, Sequence

from .errors import RowpressError
from .signatures import require_signature

_UNICODE_PATH = 0x7075


def verify_archive(path: str, signed_by: Optional[Sequence[str]] = None) -> Dict[str, Any]:
    """Compares the SHA-256 of every PDF with the manifest in the ZIP. Returns the manifest.

    ``signed_by`` lists public seal keys (64 hex digits each), one of which must have signed the manifest.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if any(_has_second_name(entry) for entry in archive.infolist()):
                raise damaged("an entry has more than one name")
            text = archive.read("manifest.json")
            if signed_by is not None:
                signed = "manifest.sig" in archive.namelist()
                require_signature(archive.read("manifest.sig") if signed else None, text, signed_by)
            manifest: Dict[str, Any] = json.loads(text)
            rows = manifest.get("row_results", [])
            expected = {row["file_name"]: row.get("sha256") for row in rows if row.get("file_name")}
            found = [name for name in archive.namelist() if name.startswith("row_")]
            merged = manifest.get("merged")
            if manifest.get("options", {}).get("dry_run"):
                expected = {}
            if sorted(found) != sorted(expected):
                raise damaged("its entries are not those of the manifest")
            if merged is not None:
                expected[merged["file_name"]] = merged["sha256"]
            for name, digest in expected.items():
                with archive.open(name) as entry:
                    if digest is not None and _sha256(entry) != digest:
                        raise damaged(f"{name} does not match its SHA-256 in the manifest")
            return manifest
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as reason:
        raise damaged(str(reason)) from reason


def _has_second_name(entry: zipfile.ZipInfo) -> bool:
    """Whether the entry has the Info-ZIP field with a name in UTF-8, which some readers prefer and others ignore."""
    at = 0
    while at + 4 <= len(entry.extra):
        field, length = struct.unpack_from("<HH", entry.extra, at)
        if field == _UNICODE_PATH:
            return True
        at += 4 + length
    return False


def _sha256(stream: IO[bytes]) -> str:
    digest = hashlib.sha256()
    for chunk in iter(lambda: stream.read(1 << 18), b""):
        digest.update(chunk)
    return digest.hexdigest()


def damaged(reason: str, what: str = "ZIP") -> RowpressError:
    return RowpressError("CHECKSUM_MISMATCH", f"The {what} is damaged: {reason}.", retry="same-key")
