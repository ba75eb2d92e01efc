"""Downloads that continue after a lost connection, and files that appear only when they are complete."""

from __future__ import annotations

import hashlib
import http.client
import io
import os
import re
from typing import Any, Callable, Dict, Optional

from .connections import Exchange
from .errors import RowpressError, connection_error
from .transport import Progress, Transport

_CHUNK = 256 * 1024


class DownloadChanged(Exception):
    """The file on the server is not the one whose first bytes were read."""


class Download(io.RawIOBase):
    """The bytes of one file as a stream. A lost connection is resumed where it ended (Range and If-Range)."""

    def __init__(self, transport: Transport, surface: str, link: Callable[[], str], with_key: bool) -> None:
        super().__init__()
        self._transport = transport
        self._surface = surface
        self._link = link
        self._with_key = with_key
        self._exchange: Optional[Exchange] = None
        self._position = 0
        self._tries = 0
        self.etag: Optional[str] = None
        #: Size of the whole file, if the server declares it.
        self.size: Optional[int] = None

    def start(self, offset: int = 0, etag: Optional[str] = None) -> None:
        """Opens the file at ``offset``, which must be 0 unless its ETag is known."""
        self._position, self.etag = offset, etag
        self._transport.retrying(self._open)

    def _open(self) -> None:
        self.hang_up()
        headers: Dict[str, str] = {"Accept": "*/*"}
        if self._position > 0 and self.etag is not None:
            headers.update({"Range": f"bytes={self._position}-", "If-Range": self.etag})
        link = self._link()
        try:
            exchange = self._transport.open(self._surface, link, headers, self._transport.timeout, self._with_key)
        except RowpressError as error:
            if error.status == 416:  # Nothing is left, or the file has become shorter.
                raise DownloadChanged() from error
            raise
        etag = exchange.headers.get("etag")
        if self._position > 0 and etag != self.etag:
            exchange.close()
            raise DownloadChanged()
        skip = 0
        if exchange.status == 206:
            match = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", exchange.headers.get("content-range", ""))
            if match is None or int(match[1]) != self._position:
                exchange.close()
                raise RowpressError("RANGE_INVALID", "The server sent a range that was not requested.")
            self.size = int(match[2])
        else:
            length = exchange.headers.get("content-length")
            self.size = int(length) if length is not None and length.isdigit() else None
            skip = self._position  # The server does not support ranges: read the known bytes again.
        self.etag = etag
        self._exchange = exchange
        while skip > 0:
            skip -= len(self._receive(min(skip, _CHUNK)) or self._cut())

    def _cut(self) -> bytes:
        raise connection_error(EOFError("the file ended early"), None, True)

    def _receive(self, size: int) -> bytes:
        assert self._exchange is not None
        try:
            return self._exchange.read(size, self._transport.timeout)
        except (OSError, http.client.HTTPException, ValueError) as reason:
            raise connection_error(reason, None, True) from reason

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")

        def attempt() -> bytes:
            if self._exchange is None:
                self._open()
            try:
                data = self._receive(len(view))
                if not data and self.size is not None and self._position < self.size:
                    self._cut()
                return data
            except RowpressError:
                self.hang_up()
                raise

        if not len(view) or (self.size is not None and self._position >= self.size):
            return 0
        try:
            data = self._transport.retrying(attempt)
        except DownloadChanged:
            raise RowpressError("DOWNLOAD_CHANGED", "The file changed on the server while it was read.") from None
        self._position += len(data)
        view[: len(data)] = data
        return len(data)

    def tell(self) -> int:
        return self._position

    def hang_up(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.close()

    def close(self) -> None:
        self.hang_up()
        super().close()


def save(
    download: Download,
    path: "str | os.PathLike[str]",
    check: Callable[[str, "hashlib._Hash", Download], None],
    on_progress: Optional[Progress] = None,
) -> str:
    """Writes a download to a file next to ``path``, checks it, and renames it. Returns the path.

    If the download fails, the part that arrived is kept, and the next call continues with it.
    """
    target = os.fspath(path)
    for _ in range(3):
        try:
            part = _fetch(download, target, on_progress, check)
        except (DownloadChanged, RowpressError) as reason:
            if isinstance(reason, RowpressError) and reason.code != "DOWNLOAD_CHANGED":
                raise
            _remove_parts(target)
            continue
        os.replace(part, target)
        return target
    raise RowpressError("DOWNLOAD_CHANGED", "The file kept changing on the server while it was read.")


def _fetch(
    download: Download,
    target: str,
    on_progress: Optional[Progress],
    check: Callable[[str, "hashlib._Hash", Download], None],
) -> str:
    download.start()
    part = _part_name(target, download.etag)
    digest = hashlib.sha256()
    done = 0
    if download.etag is not None and os.path.exists(part):
        with open(part, "rb") as known:
            for chunk in iter(lambda: known.read(_CHUNK), b""):
                digest.update(chunk)
                done += len(chunk)
        if download.size is not None and 0 < done < download.size:
            download.start(done, download.etag)
        elif done != download.size:
            digest, done = hashlib.sha256(), 0
    mode = "ab" if done > 0 else "wb"
    try:
        with open(part, mode) as file:
            while download.size is None or done < download.size:
                data = download.read(_CHUNK)
                if not data:
                    break
                file.write(data)
                digest.update(data)
                done += len(data)
                if on_progress is not None:
                    on_progress({"phase": "download", "bytes": done, "total_bytes": download.size})
            file.flush()
            os.fsync(file.fileno())
    finally:
        download.hang_up()
    try:
        check(part, digest, download)
    except RowpressError:
        os.remove(part)
        raise
    return part


def _part_name(target: str, etag: Optional[str]) -> str:
    """Names the file by its ETag, so that a part is continued only with bytes of the same file."""
    name = hashlib.sha256((etag or os.urandom(8).hex()).encode("utf-8")).hexdigest()[:12]
    return f"{target}.{name}.part"


def _remove_parts(target: str) -> None:
    folder, base = os.path.split(target)
    for name in os.listdir(folder or "."):
        if re.fullmatch(re.escape(base) + r"\.[0-9a-f]{12}\.part", name):
            os.remove(os.path.join(folder, name))
