"""An HTTP server that follows a script: one step per request, then the last step again and again."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union


class Request(NamedTuple):
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


class Response(NamedTuple):
    status: int = 200
    body: Union[bytes, Any] = b""
    headers: Tuple[Tuple[str, str], ...] = ()
    #: Declares this many bytes more than it sends, then closes the connection.
    missing: int = 0
    #: Responds before the body of the request is read.
    early: bool = False


CUT = "cut"
STALL = "stall"
Step = Union[Response, str, Callable[[Request], Union[Response, str]]]


class ScriptedServer:
    def __init__(self, *steps: Step, tls: Optional[ssl.SSLContext] = None) -> None:
        self._tls = tls
        self._steps: Sequence[Step] = steps
        self._lock = threading.Lock()
        self.requests: List[Request] = []
        self._closed = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}" if tls is None else f"https://localhost:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        if self._tls is not None:
            try:
                connection = self._tls.wrap_socket(connection, server_side=True)
            except OSError:  # The client does not trust the certificate.
                connection.close()
                return
        with connection, connection.makefile("rb") as stream:
            while self._exchange(connection, stream):
                pass

    def _exchange(self, connection: socket.socket, stream: Any) -> bool:
        try:
            line = stream.readline()
            if not line:
                return False
            method, path, _ = line.decode("latin-1").split(" ", 2)
            headers: Dict[str, str] = {}
            for line in iter(stream.readline, b"\r\n"):
                name, _, value = line.decode("latin-1").partition(":")
                headers[name.strip().lower()] = value.strip()
            with self._lock:
                index = min(len(self.requests), len(self._steps) - 1)
                step = self._steps[index]
                early = isinstance(step, Response) and step.early
                request = Request(method, path, headers, b"" if early else _body(stream, headers))
                self.requests.append(request)
            if callable(step):
                step = step(request)
            if step == STALL:
                self._closed.wait(30)
                return False
            if not isinstance(step, Response):
                return False
            return _respond(connection, method, step)
        except (OSError, ValueError):  # The client hung up.
            return False


def _body(stream: Any, headers: Dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return bytes(stream.read(int(headers.get("content-length", "0"))))
    pieces = []
    while True:
        size = int(stream.readline(), 16)
        pieces.append(stream.read(size))
        stream.readline()
        if size == 0:
            return b"".join(pieces)


def _respond(connection: socket.socket, method: str, step: Response) -> bool:
    body = step.body if isinstance(step.body, bytes) else json.dumps(step.body).encode("utf-8")
    lines = [f"HTTP/1.1 {step.status} X"]
    if not isinstance(step.body, bytes):
        lines.append("Content-Type: application/json")
    lines += [f"{name}: {value}" for name, value in step.headers]
    lines.append(f"Content-Length: {len(body) + step.missing}")
    if step.early:
        lines.append("Connection: close")
    connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
    connection.sendall(body)
    if step.early:
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass
    return step.missing == 0 and not step.early


def parts_of(request: Request) -> Dict[str, bytes]:
    """The parts of a multipart request, by name."""
    boundary = request.headers["content-type"].split("boundary=")[1].encode("ascii")
    found: Dict[str, bytes] = {}
    for part in request.body.split(b"--" + boundary)[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]*)"', head)
        assert name is not None
        found[name[1].decode("ascii")] = content[:-2]
    return found


def ranged(content: bytes, etag: Optional[str], cuts: Sequence[int] = (), ranges: bool = True) -> Step:
    """Serves a file with byte ranges. The first responses are cut after the given numbers of bytes."""
    left = list(cuts)

    def step(request: Request) -> Response:
        start = 0
        headers: List[Tuple[str, str]] = [] if etag is None else [("ETag", etag)]
        match = re.fullmatch(r"bytes=(\d+)-", request.headers.get("range", ""))
        status = 200
        if ranges and match is not None and request.headers.get("if-range") == etag:
            start, status = int(match[1]), 206
            headers.append(("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}"))
        sent = content[start:]
        cut = left.pop(0) if left else len(sent)
        return Response(status, sent[:cut], tuple(headers), missing=len(sent) - len(sent[:cut]))

    return step
