"""HTTP/1.1 connections of the standard library, kept open between requests."""

from __future__ import annotations

import http.client
import select
import ssl
import threading
import time
from typing import Callable, Dict, Iterator, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from .sources import CHUNK_BYTES, Body

#: Below the keep-alive time of common proxies (nginx: 75 s, AWS: 60 s; Rowpress: 65 s).
_IDLE_SECONDS = 30.0
_MAX_IDLE = 16

Origin = Tuple[str, str, int]


def origin_of(url: str) -> Origin:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"A URL must start with http:// or https:// and name a host; received {url!r}.")
    return parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)


class Exchange:
    """One request on one connection, and the response to it. Close it, or read the response to its end."""

    def __init__(self, pool: "ConnectionPool", origin: Origin, connection: http.client.HTTPConnection) -> None:
        self._pool = pool
        self._origin = origin
        self._connection: Optional[http.client.HTTPConnection] = connection
        self._response: Optional[http.client.HTTPResponse] = None
        self._left: Optional[int] = None
        self.reusable = True
        self.status = 0
        self.headers: Dict[str, str] = {}

    def receive(self, timeout: float) -> None:
        """Reads the status line and the headers."""
        connection = self._connection
        assert connection is not None
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        self._response = connection.getresponse()
        self.status = self._response.status
        self.headers = {name.lower(): value for name, value in self._response.getheaders()}
        self._left = self._response.length

    def read(self, size: int, timeout: float) -> bytes:
        """Reads up to ``size`` bytes; empty at the end. Raises if the connection ends early."""
        response, connection = self._response, self._connection
        if response is None or connection is None:
            return b""
        # The response owns the socket if the server closes the connection after it.
        sock = connection.sock or getattr(getattr(response.fp, "raw", None), "_sock", None)
        if sock is not None:
            sock.settimeout(timeout)
        data = response.read1(size) if self._left is None else response.read1(min(size, self._left) or 0)
        if self._left is not None:
            self._left -= len(data)
            if not data and self._left > 0:
                raise http.client.IncompleteRead(b"", self._left)
        if not data or self._left == 0:
            self._finish(response)
        return data

    def _finish(self, response: http.client.HTTPResponse) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        reusable = self.reusable and not response.will_close and (self._left == 0 or response.isclosed())
        self._left = 0
        response.close()
        if reusable and connection.sock is not None:
            self._pool.put(self._origin, connection)
        else:
            connection.close()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if self._response is not None:
            self._response.close()
        if connection is not None:
            connection.close()


class ConnectionPool:
    """Idle connections by origin, for any number of threads."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext]) -> None:
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._idle: Dict[Origin, List[Tuple[float, http.client.HTTPConnection]]] = {}

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[Body],
        timeout: float,
        sent: Optional["Sent"] = None,
    ) -> Exchange:
        """Sends a request and returns when the response headers have arrived."""
        parts = urlsplit(url)
        origin = origin_of(url)
        connection, reused = self._take(origin, timeout)
        exchange = Exchange(self, origin, connection)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            exchange.reusable = self._write(connection, method, target, headers, body, timeout, sent)
            exchange.receive(timeout)
        except BaseException as reason:
            exchange.close()
            lost = isinstance(reason, (OSError, http.client.HTTPException)) and not isinstance(reason, TimeoutError)
            if reused and lost and "timed out" not in str(reason):
                raise StaleConnection(reason) from reason
            raise
        return exchange

    def _write(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: Optional[Body],
        timeout: float,
        sent: Optional["Sent"],
    ) -> bool:
        """Returns whether the whole request was sent."""
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        chunked = False
        if body is not None:
            connection.putheader("Content-Type", body.content_type)
            chunked = body.length is None
            if chunked:
                connection.putheader("Transfer-Encoding", "chunked")
            else:
                connection.putheader("Content-Length", str(body.length))
        elif method in ("POST", "PUT", "PATCH"):
            connection.putheader("Content-Length", "0")
        connection.endheaders()
        if body is None:
            return True
        try:
            for chunk in _coalesced(body.chunks()):
                if _responded(connection):
                    return False  # A rejection that arrives before the whole body has been sent.
                connection.send(b"%x\r\n%b\r\n" % (len(chunk), chunk) if chunked else chunk)
                if sent is not None:
                    sent.add(len(chunk))
            if chunked:
                connection.send(b"0\r\n\r\n")
            return True
        except (BrokenPipeError, ConnectionResetError):
            # The server may have responded before it closed the connection; reading the response decides.
            if connection.sock is None:
                raise
            return False

    def _take(self, origin: Origin, timeout: float) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            idle = self._idle.get(origin, [])
            while idle:
                since, connection = idle.pop()
                if time.monotonic() - since < _IDLE_SECONDS and not _readable(connection):
                    return connection, True
                connection.close()
        scheme, host, port = origin
        if scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=timeout, context=self._ssl_context), False
        return http.client.HTTPConnection(host, port, timeout=timeout), False

    def put(self, origin: Origin, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if len(idle) < _MAX_IDLE:
                idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            found = [connection for idle in self._idle.values() for _, connection in idle]
            self._idle.clear()
        for connection in found:
            connection.close()


class StaleConnection(Exception):
    """A kept connection that failed before a response: usually the server had closed it."""

    def __init__(self, reason: BaseException) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Sent:
    """Counts the bytes of a request body and reports them."""

    def __init__(self, total: Optional[int], report: Callable[[Dict[str, object]], None]) -> None:
        self._total = total
        self._report = report
        self._bytes = 0

    def add(self, count: int) -> None:
        self._bytes += count
        self._report({"phase": "upload", "bytes": self._bytes, "total_bytes": self._total})


def _coalesced(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Joins small chunks, such as the heads of form parts, to one write."""
    held: List[bytes] = []
    size = 0
    for chunk in chunks:
        held.append(chunk)
        size += len(chunk)
        if size >= CHUNK_BYTES:
            yield b"".join(held)
            held, size = [], 0
    if size:
        yield b"".join(held)


def _readable(connection: http.client.HTTPConnection) -> bool:
    """An idle connection with something to read was closed by the server, or is broken."""
    sock = connection.sock
    if sock is None:
        return True
    try:
        if not hasattr(select, "poll"):  # Windows
            return bool(select.select([sock], [], [], 0)[0])
        poll = select.poll()
        poll.register(sock, select.POLLIN | select.POLLHUP)
        return bool(poll.poll(0))
    except (OSError, ValueError):
        return True


def _responded(connection: http.client.HTTPConnection) -> bool:
    """Not for TLS: session tickets make a TLS connection readable without a response."""
    return not isinstance(connection.sock, ssl.SSLSocket) and _readable(connection)
