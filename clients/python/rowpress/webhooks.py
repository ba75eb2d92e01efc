"""Verifies webhooks of all three surfaces."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Tuple, Union, cast

from .errors import WebhookVerificationError

Headers = Union[Mapping[str, Any], Iterable[Tuple[str, str]]]

#: Header of the time, headers of signatures.
_HEADERS = {
    "bulkfill": ("x-doqlo-timestamp", ("x-doqlo-signature",)),
    "subscribers": ("webhook-timestamp", ("webhook-signature",)),
    "ingest": ("x-fgai-timestamp", ("x-fgai-signature-v2", "x-fgai-signature-v2-previous")),
}
#: The signature of Ingest over the body alone.
_BODY_ONLY = ("x-fgai-signature", "x-fgai-signature-previous")


def verify_webhook(
    scheme: str,
    headers: Headers,
    body: Union[bytes, bytearray, memoryview, str],
    secret: Union[str, Sequence[str]],
    tolerance_seconds: float = 300,
    require_signed_time: bool = False,
) -> Dict[str, Any]:
    """Returns the event of a genuine webhook; raises :class:`WebhookVerificationError` for any other.

    ``body`` is the raw body as it arrived. ``secret`` may be a list while a secret is being rotated: the webhook is
    genuine if any of them signed it. ``scheme`` is ``'bulkfill'``, ``'subscribers'`` or ``'ingest'``.
    ``require_signed_time`` rejects an Ingest webhook that is signed over its body alone.
    """
    if scheme not in _HEADERS:
        raise ValueError(f"scheme must be bulkfill, subscribers or ingest; received {scheme!r}.")
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("secret must not be empty.")
    given = _lower(headers)
    time_header, signature_headers = _HEADERS[scheme]
    # If any header of the timed signature is present, that signature must be complete.
    if scheme == "ingest" and not require_signed_time and not {time_header, *signature_headers} & given.keys():
        timestamp, signature_headers = "", _BODY_ONLY
    else:
        timestamp = _checked_time(given, time_header, tolerance_seconds)
    signatures = [_single(given, signature_headers[0])]
    signatures += [given[name][0] for name in signature_headers[1:] if len(given.get(name, [])) == 1]
    if scheme == "subscribers":
        signed = f"{_single(given, 'webhook-id')}.{timestamp}.".encode("utf-8") + raw
        signatures = signatures[0].split(" ")
        expected = ["v1," + base64.b64encode(_mac(_standard_key(each), signed)).decode("ascii") for each in secrets]
    else:
        prefix = "v1=" if scheme == "bulkfill" else "sha256="
        signed = (f"{timestamp}." if timestamp else "").encode("ascii") + raw
        expected = [prefix + _mac(each.encode("utf-8"), signed).hex() for each in secrets]
    # All pairs are compared, so that the time does not show which secret matched.
    if not any([hmac.compare_digest(a.encode("utf-8"), b.encode("utf-8")) for a in signatures for b in expected]):
        raise WebhookVerificationError("The signature does not match the body and the secret.")
    try:
        event = json.loads(raw)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("The body is not a JSON object.")
    return cast(Dict[str, Any], event)


def _checked_time(headers: Dict[str, List[str]], name: str, tolerance_seconds: float) -> str:
    timestamp = _single(headers, name)
    if not re.fullmatch(r"\d{1,12}", timestamp):
        raise WebhookVerificationError(f"{name} is not a Unix time; received {timestamp!r}.")
    age = time.time() - int(timestamp)
    if abs(age) > tolerance_seconds:
        raise WebhookVerificationError(f"{name} is {age:.0f} s off; at most {tolerance_seconds:g} s are allowed.")
    return timestamp


def _mac(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()


def _standard_key(secret: str) -> bytes:
    """The key of Standard Webhooks: the decoded part after ``whsec_``, otherwise the secret itself."""
    if secret.startswith("whsec_"):
        try:
            key = base64.b64decode(secret[6:], validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if key:
            return key
    return secret.encode("utf-8")


def _lower(headers: Headers) -> Dict[str, List[str]]:
    items = cast(Any, headers).items() if hasattr(headers, "items") else headers
    found: Dict[str, List[str]] = {}
    for name, value in items:
        values = value if isinstance(value, (list, tuple)) else [value]
        found.setdefault(str(name).lower(), []).extend(
            each.decode("latin-1") if isinstance(each, bytes) else str(each) for each in values
        )
    return found


def _single(headers: Dict[str, List[str]], name: str) -> str:
    values = headers.get(name, [])
    if len(values) != 1:
        raise WebhookVerificationError(f"{name} must be sent exactly once; received {len(values)}.")
    return values[0].strip()
