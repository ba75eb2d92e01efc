"""Bytes to upload, opened anew for every attempt."""

from __future__ import annotations

import os
import tempfile
from typing import IO, Any, Callable, Iterable, Iterator, Optional, Union

#: A path, bytes, or a callable that returns a new binary stream at each call.
Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Callable[[], IO[bytes]]]

CHUNK_BYTES = 64 * 1024
_SPOOL_BYTES = 4 * 1024 * 1024


class SourceFailed(Exception):
    """Wraps an error of the caller's file or stream, so that it is not mistaken for a connection failure."""

    def __init__(self, reason: Exception) -> None:
        super().__init__(str(reason))
        self.reason = reason


class Body:
    """A request body: ``length`` is None if it is unknown, and the body is then sent in chunks."""

    content_type: str = "application/octet-stream"
    length: Optional[int] = None

    def chunks(self) -> Iterator[bytes]:
        raise NotImplementedError

    def close(self) -> None:
        """Releases what the body holds. It is not sent again."""


class FileBody(Body):
    """The bytes of a :data:`Source`."""

    def __init__(self, source: Source, name: str, content_type: str = "application/octet-stream") -> None:
        self.content_type = content_type
        self.file_name = name
        self._data: Optional[bytes] = None
        self._open: Callable[[], IO[bytes]]
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._data = bytes(source)
            self.length = len(self._data)
        elif isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            self.file_name = os.path.basename(path) or name
            self.length = os.stat(path).st_size
            self._open = lambda: open(path, "rb")
        elif callable(source):
            self._open = source
        else:
            raise TypeError(
                f"{name} must be a path, bytes, or a callable that returns a binary stream; received {type(source).__name__}."
            )

    def chunks(self) -> Iterator[bytes]:
        if self._data is not None:
            for start in range(0, len(self._data), CHUNK_BYTES):
                yield self._data[start : start + CHUNK_BYTES]
            return
        sent = 0
        for chunk in _read_chunks(self._open):
            sent += len(chunk)
            if self.length is not None and sent > self.length:
                break
            yield chunk
        if self.length is not None and sent != self.length:
            raise SourceFailed(OSError(f"{self.file_name} changed while it was being sent."))



def _read_chunks(opened: Callable[[], IO[bytes]]) -> Iterator[bytes]:
    try:
        stream = opened()
    except Exception as reason:
        raise SourceFailed(reason) from reason
    with stream:
        while True:
            try:
                chunk = stream.read(CHUNK_BYTES)
            except Exception as reason:
                raise SourceFailed(reason) from reason
            if not chunk:
                return
            if not isinstance(chunk, (bytes, bytearray)):
                raise SourceFailed(TypeError("The stream must be binary; it returned text."))
            yield bytes(chunk)


class BytesBody(FileBody):
    """A small body in memory."""

    def __init__(self, data: bytes, content_type: str) -> None:
        super().__init__(data, "body", content_type)


class SpooledBody(Body):
    """Lines that were written once, to memory or to a temporary file, so that every attempt sends the same bytes."""

    def __init__(self, pieces: Iterable[bytes], content_type: str) -> None:
        self.content_type = content_type
        self._file: Any = tempfile.SpooledTemporaryFile(max_size=_SPOOL_BYTES)
        for piece in pieces:
            self._file.write(piece)
        self.length = self._file.tell()

    def close(self) -> None:
        self._file.close()

    def chunks(self) -> Iterator[bytes]:
        self._file.seek(0)
        while True:
            chunk = self._file.read(CHUNK_BYTES)
            if not chunk:
                return
            yield chunk


class JoinedBody(Body):
    """Several bodies, one after the other."""

    def __init__(self, parts: "list[Body]", content_type: str) -> None:
        self.content_type = content_type
        self._parts = parts
        lengths = [part.length for part in parts]
        self.length = None if None in lengths else sum(length or 0 for length in lengths)

    def chunks(self) -> Iterator[bytes]:
        for part in self._parts:
            yield from part.chunks()

    def close(self) -> None:
        for part in self._parts:
            part.close()
