"""Sends requests: keys, retries, time limits and errors are handled here, once for all surfaces."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, TypeVar
from urllib.parse import urlencode, urlsplit

from .connections import ConnectionPool, Exchange, Sent, StaleConnection, origin_of
from .errors import RowpressError, connection_error, response_error
from .sources import Body, SourceFailed
from .version import VERSION

T = TypeVar("T")
Progress = Callable[[Dict[str, Any]], None]

_BASE_DELAY = 0.25
_MAX_DELAY = 8.0
_MAX_JSON_BYTES = 512 * 1024 * 1024


class Final(Exception):
    """An error that the table would retry, but that does not change for this request."""

    def __init__(self, reason: RowpressError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Reply:
    """A response that was read to its end."""

    def __init__(self, status: int, headers: Mapping[str, str], data: bytes) -> None:
        self.status = status
        self.headers = headers
        self.data = data

    def json(self) -> Any:
        if not self.data:
            return None
        try:
            return json.loads(self.data)
        except ValueError as reason:
            message = "The response is not JSON: is base_url the address of a Rowpress server?"
            raise RowpressError("RESPONSE_INVALID", message, status=self.status) from reason


class Transport:
    """One server, one API key."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        retries: int,
        timeout: float,
        ssl_context: Optional[ssl.SSLContext],
        max_retry_after_seconds: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if retries < 0:
            raise ValueError(f"retries must be 0 or more; received {retries}.")
        if timeout <= 0:
            raise ValueError(f"timeout must be above 0 seconds; received {timeout}.")
        self.base_url = base_url.rstrip("/")
        self._origin = origin_of(self.base_url)
        self._base_path = urlsplit(self.base_url).path
        self._api_key = api_key
        self.retries = retries
        self.timeout = timeout
        self.sleep = sleep
        self._max_retry_after = max_retry_after_seconds
        self.pool = ConnectionPool(ssl_context)

    def url(self, link: str) -> str:
        """Resolves a link of the server. Relative links start at the base URL, with or without its path."""
        if "://" in link:
            return link
        if self._base_path and (link == self._base_path or link.startswith(self._base_path + "/")):
            return self.base_url[: len(self.base_url) - len(self._base_path)] + link
        return self.base_url + (link if link.startswith("/") else "/" + link)

    def call(
        self,
        surface: str,
        method: str,
        link: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        body: Optional[Body] = None,
        repeatable: bool = True,
        final: Sequence[str] = (),
        with_key: bool = True,
        request_id: Optional[str] = None,
        on_progress: Optional[Progress] = None,
        accepts: Callable[[int, Any], bool] = lambda status, body: False,
    ) -> Reply:
        """Sends a request until it gets a final response.

        ``accepts`` marks error statuses that are results, ``final`` codes that are not retried. If the request is not
        ``repeatable``, a second arrival would have a second effect, and a lost connection is not retried.
        """
        url = self.url(link)
        known = {key: value for key, value in (query or {}).items() if value is not None}
        if known:
            url += "?" + urlencode(known, doseq=True)
        named = request_id or f"py-{uuid.uuid4()}"
        sent_headers = {**self._headers(surface, url, with_key, named), **(headers or {})}
        lost = False

        def attempt() -> Reply:
            nonlocal lost
            try:
                return self._attempt(surface, method, url, sent_headers, body, named, on_progress, accepts)
            except RowpressError as error:
                # The first attempt deleted it, but its response was lost.
                if lost and method == "DELETE" and error.status == 404:
                    return Reply(204, {}, b"")
                lost = lost or error.status == 0
                error.request_key = sent_headers.get("Idempotency-Key") or sent_headers.get("X-Correlation-Id")
                if error.status == 0 and not repeatable:
                    error.retry = "no"
                if error.code in final:
                    raise Final(error)
                raise

        try:
            return self.retrying(attempt)
        finally:
            if body is not None:
                body.close()

    def retrying(self, attempt: Callable[[], T]) -> T:
        """Runs ``attempt`` until it succeeds, its error is final, or the retries are used up."""
        tries = 0
        stale = 0
        while True:
            try:
                return attempt()
            except (SourceFailed, Final) as failed:
                raise failed.reason
            except RowpressError as error:
                if isinstance(error.__cause__, StaleConnection) and error.retry == "same-key" and stale < 3:
                    stale += 1  # The server had closed an idle connection: a new one may work at once.
                    continue
                after = error.retry_after_seconds or 0.0
                if error.retry != "same-key" or tries >= self.retries or after > self._max_retry_after:
                    raise
                self.sleep(max(self.delay(tries), after))
                tries += 1

    @staticmethod
    def delay(tries: int) -> float:
        """Exponential back-off; half of it is random, so that clients do not return at the same moment."""
        full = min(_MAX_DELAY, _BASE_DELAY * 2.0**tries)
        return full / 2 + random.uniform(0, full / 2)

    def open(
        self, surface: str, link: str, headers: Mapping[str, str], timeout: float, with_key: bool = True
    ) -> Exchange:
        """Sends one GET and returns the open response. Follows redirects, without the key to other origins."""
        url = self.url(link)
        request_id = f"py-{uuid.uuid4()}"
        redirected = False
        for _ in range(5):
            sent_headers = {**self._headers(surface, url, with_key, request_id), **headers}
            exchange = self._send("GET", url, sent_headers, None, timeout, request_id, None)
            location = exchange.headers.get("location")
            if exchange.status in (301, 302, 303, 307, 308) and location:
                exchange.close()
                url = self.url(location)
                redirected = True
                continue
            if exchange.status >= 400:
                error = self._error(surface, exchange, request_id)
                if redirected and error.code == "HTTP_403":  # An object store; the server makes a new link each time.
                    message = "The object store rejected the link of the download. It may have expired."
                    raise RowpressError("LINK_REJECTED", message, status=403, request_id=request_id, retry="same-key")
                raise error
            return exchange
        raise RowpressError("TOO_MANY_REDIRECTS", "The server redirected the download too often.")

    def _attempt(
        self,
        surface: str,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[Body],
        request_id: str,
        on_progress: Optional[Progress],
        accepts: Callable[[int, Any], bool],
    ) -> Reply:
        sent = Sent(body.length, on_progress) if body is not None and on_progress is not None else None
        exchange = self._send(method, url, headers, body, self.timeout, request_id, sent)
        if exchange.status >= 300:
            data = self._read(exchange, request_id)
            parsed = _parsed(data)
            if not accepts(exchange.status, parsed):
                raise response_error(surface, exchange.status, exchange.headers, parsed, request_id)
            return Reply(exchange.status, exchange.headers, data)
        data = self._read(exchange, request_id)
        if "json" in exchange.headers.get("content-type", "") and data and _parsed(data) is None:
            raise connection_error(EOFError("the response ended early"), request_id, True)
        return Reply(exchange.status, exchange.headers, data)

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[Body],
        timeout: float,
        request_id: str,
        sent: Optional[Sent],
    ) -> Exchange:
        try:
            return self.pool.send(method, url, headers, body, timeout, sent)
        except StaleConnection as stale:
            raise connection_error(stale.reason, request_id, True) from stale
        except ssl.SSLCertVerificationError as reason:
            raise connection_error(reason, request_id, False) from reason
        except (OSError, http.client.HTTPException) as reason:
            raise connection_error(reason, request_id, True) from reason

    def _read(self, exchange: Exchange, request_id: str) -> bytes:
        """Reads the whole response. The time limit applies to all of it."""
        deadline = time.monotonic() + self.timeout
        pieces: List[bytes] = []
        size = 0
        try:
            while True:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError("timed out")
                piece = exchange.read(1 << 16, left)
                if not piece:
                    return b"".join(pieces)
                pieces.append(piece)
                size += len(piece)
                if size > _MAX_JSON_BYTES:
                    raise RowpressError("RESPONSE_TOO_LARGE", f"The response has more than {_MAX_JSON_BYTES} bytes.")
        except (OSError, http.client.HTTPException, ValueError) as reason:
            raise connection_error(reason, request_id, True) from reason
        finally:
            exchange.close()

    def _error(self, surface: str, exchange: Exchange, request_id: str) -> RowpressError:
        data = self._read(exchange, request_id)
        return response_error(surface, exchange.status, exchange.headers, _parsed(data), request_id)

    def _headers(self, surface: str, url: str, with_key: bool, request_id: str) -> Dict[str, str]:
        headers = {"User-Agent": f"rowpress-python/{VERSION}", "Accept": "application/json, */*;q=0.5"}
        if origin_of(url) != self._origin or "X-Amz-Signature=" in url:
            return headers  # The key and the ids belong to the server alone; a signed link is its own permission.
        if with_key and self._api_key is not None:
            headers["Authorization"] = f"Bearer {self._api_key}"
        if surface == "bulkfill":
            headers["X-Request-Id"] = request_id
        elif surface == "subscribers":
            headers["x-mailrith-request-id"] = request_id
        return headers


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None
