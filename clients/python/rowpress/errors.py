"""The error that every call of the client raises."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .error_table import RETRY


def _retry_of_status(status: int) -> str:
    """For responses without a known code, such as those of a proxy or of a newer server."""
    return "same-key" if status in (408, 425, 429) or status >= 500 else "no"


class RowpressError(Exception):
    """A request that the server rejected, or that never got a response.

    ``code`` is a code of the server's error table, or one of the client: ``CONNECTION_FAILED``, ``TIMEOUT``,
    ``WAIT_TIMEOUT``, ``CHECKSUM_MISMATCH``, ``DOWNLOAD_CHANGED``, ``WEBHOOK_INVALID``. ``status`` is 0 if there was
    no response. ``retry`` is ``'same-key'`` (the same request may succeed later), ``'new-key'`` (it needs a new
    idempotency key or correlation id) or ``'no'``. A job that failed is not an error: it is returned.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        request_id: Optional[str] = None,
        request_key: Optional[str] = None,
        retry: str = "no",
        retry_after_seconds: Optional[float] = None,
        details: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.retry = retry
        self.retry_after_seconds = retry_after_seconds
        #: The idempotency key or correlation id that was sent. Pass it to send the same request again.
        self.request_key = request_key
        #: Further members of the error, such as ``differs_in`` or ``missing_scopes``.
        self.details = dict(details or {})

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} ({self.code}, status {self.status}{request})"


class WebhookVerificationError(RowpressError):
    """A webhook that must not be trusted: its signature or its time is wrong."""

    def __init__(self, message: str) -> None:
        super().__init__("WEBHOOK_INVALID", message)


def connection_error(reason: BaseException, request_id: Optional[str], repeatable: bool) -> RowpressError:
    """Describes a request without a response: the server may or may not have executed it."""
    timed_out = isinstance(reason, TimeoutError) or "timed out" in str(reason)
    return RowpressError(
        "TIMEOUT" if timed_out else "CONNECTION_FAILED",
        f"The server did not respond: {reason or type(reason).__name__}.",
        request_id=request_id,
        retry="same-key" if repeatable else "no",
    )


def response_error(
    surface: str, status: int, headers: Mapping[str, str], body: Any, request_id: Optional[str]
) -> RowpressError:
    """Reads an error response of any of the three dialects."""
    members = body if isinstance(body, dict) else {}
    nested = members.get("error")
    if isinstance(nested, dict):  # subscribers
        members = nested
        code, message = nested.get("code"), nested.get("message")
    elif isinstance(members.get("type"), str) and "#" in members["type"]:  # ingest
        code = members["type"].rsplit("#", 1)[1]
        message = members.get("detail") or members.get("title")
    else:
        code, message = members.get("code"), members.get("message")
    code = code if isinstance(code, str) and code else f"HTTP_{status}"
    if not isinstance(message, str) or not message:
        message = f"The server responded with status {status}."
        if "location" in headers:
            message = f"The server redirects to {headers['location']}. Use the address of the API itself as base_url."
    return RowpressError(
        code,
        message,
        status=status,
        request_id=headers.get("x-request-id")
        or headers.get("x-mailrith-request-id")
        or members.get("trace_id")
        or request_id,
        retry=RETRY.get(surface, {}).get(code, _retry_of_status(status)),
        retry_after_seconds=_retry_after(headers.get("retry-after"), members.get("retry_after_seconds")),
        details={name: value for name, value in members.items() if name not in ("code", "message")},
    )


def _retry_after(header: Optional[str], member: Any) -> Optional[float]:
    for value in (header, member):
        try:
            seconds = float(value)
        except (TypeError, ValueError):
            continue
        if 0 <= seconds < 1e9:
            return seconds
    return None
