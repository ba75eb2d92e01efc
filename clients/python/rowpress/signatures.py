"""Checks ``manifest.sig``, the Ed25519 signature of a manifest (RFC 8032).

The standard library has no Ed25519. Verifying needs no secret, so plain integers are enough.
"""

from __future__ import annotations

import hashlib
import json
from typing import Optional, Sequence, Tuple

from .errors import RowpressError

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_SQRT_M1 = pow(2, (_P - 1) // 4, _P)

#: A point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z.
_Point = Tuple[int, int, int, int]
_ZERO: _Point = (0, 1, 1, 0)


def require_signature(text: Optional[bytes], manifest: bytes, keys: Sequence[str]) -> None:
    """Requires that ``text`` is a signature of ``manifest`` by one of the public seal keys (64 hex digits each)."""
    if text is None:
        raise _untrusted("it is not signed")
    try:
        members = json.loads(text)
        key, signature = members["public_key"], members["signature"]
        public, signed = bytes.fromhex(key), bytes.fromhex(signature)
    except (ValueError, KeyError, TypeError) as reason:
        raise _untrusted("manifest.sig is not a signature") from reason
    if key not in [pinned.lower() for pinned in keys]:
        raise _untrusted(f"it is signed by another key: {key}")
    statement = {
        "format": "rowpress.manifest-signature",
        "version": 1,
        "algorithm": "Ed25519",
        "public_key": key,
        "manifest_sha256": hashlib.sha256(manifest).hexdigest(),
    }
    if text != _compact({**statement, "signature": signature}) or not _verify(public, _compact(statement), signed):
        raise _untrusted("manifest.sig does not sign manifest.json")


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _verify(public: bytes, message: bytes, signature: bytes) -> bool:
    if len(public) != 32 or len(signature) != 64:
        return False
    a, r = _point(public), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= _ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % _ORDER
    left, right = _times(s, _BASE), _sum(r, _times(h, a))
    return (left[0] * right[2] - right[0] * left[2]) % _P == 0 and (left[1] * right[2] - right[1] * left[2]) % _P == 0


def _point(encoded: bytes) -> Optional[_Point]:
    """Decodes a point (RFC 8032, 5.1.3). Returns None if there is no such point."""
    number = int.from_bytes(encoded, "little")
    y, odd = number & (2**255 - 1), number >> 255
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _SQRT_M1 % _P
    if (x * x - square) % _P != 0 or (x == 0 and odd):
        return None
    x = x if x & 1 == odd else _P - x
    return (x, y, 1, x * y % _P)


def _sum(p: _Point, q: _Point) -> _Point:
    """Adds two points (RFC 8032, 5.1.4)."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _times(factor: int, point: _Point) -> _Point:
    total = _ZERO
    while factor > 0:
        if factor & 1:
            total = _sum(total, point)
        point = _sum(point, point)
        factor >>= 1
    return total


def _base_point() -> _Point:
    y = 4 * pow(5, _P - 2, _P) % _P
    point = _point(y.to_bytes(32, "little"))
    assert point is not None
    return point


_BASE = _base_point()


def _untrusted(reason: str) -> RowpressError:
    return RowpressError("SIGNATURE_NOT_TRUSTED", f"The downloaded ZIP is not proved: {reason}.", retry="no")
