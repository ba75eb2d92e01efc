"""How requests are encoded: JSON, NDJSON and multipart forms."""

from __future__ import annotations

import codecs
import datetime
import decimal
import json
import secrets
import uuid
from typing import Any, Callable, Iterable, Iterator, List, Mapping, Optional, Tuple

from .sources import Body, BytesBody, FileBody, JoinedBody, SourceFailed, SpooledBody

JSON = "application/json"
NDJSON = "application/x-ndjson"


def json_body(value: Any) -> BytesBody:
    return BytesBody(dump_json(value), JSON)


def dump_json(value: Any) -> bytes:
    return _utf8(lambda ascii_only: json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":")))


def _utf8(dump: Callable[[bool], str]) -> bytes:
    """Encodes JSON as UTF-8. Half a surrogate pair has no UTF-8 form, so such a value is escaped instead."""
    try:
        return dump(False).encode("utf-8")
    except UnicodeEncodeError:
        return dump(True).encode("ascii")


def ndjson_body(items: Iterable[Any]) -> SpooledBody:
    """Writes one item per line. Items of a generator are read once."""
    return SpooledBody((dump_json(item) + b"\n" for item in items), NDJSON)


def rows_body(rows: Iterable[Mapping[str, Any]]) -> SpooledBody:
    """Writes rows as a JSON array. Decimals, dates and UUIDs become text; every cell is text on the server."""

    def pieces() -> Iterator[bytes]:
        yield b"["
        for index, row in enumerate(rows):
            text = _utf8(lambda ascii_only: json.dumps(row, ensure_ascii=ascii_only, allow_nan=False, default=_cell))
            yield (b"," if index else b"") + text
        yield b"]"

    return SpooledBody(pieces(), JSON)


def _cell(value: Any) -> str:
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise TypeError(f"A cell must be text, a number, a boolean or None; received {type(value).__name__}.")


def multipart_body(fields: Iterable[Tuple[str, str]], files: Iterable[Tuple[str, Body, str]]) -> JoinedBody:
    """A form with text fields first, then files as (field, body, file name)."""
    boundary = f"rowpress-{secrets.token_hex(16)}"
    parts: List[Body] = []
    for name, value in fields:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
        parts.append(BytesBody(head.encode("ascii") + value.encode("utf-8") + b"\r\n", ""))
    for name, body, file_name in files:
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{_quoted(file_name)}"\r\n'
            f"Content-Type: {body.content_type}\r\n\r\n"
        )
        parts += [BytesBody(head.encode("utf-8"), ""), body, BytesBody(b"\r\n", "")]
    parts.append(BytesBody(f"--{boundary}--\r\n".encode("ascii"), ""))
    return JoinedBody(parts, f"multipart/form-data; boundary={boundary}")


def _quoted(file_name: str) -> str:
    """Escapes a file name as browsers do (HTML standard, multipart form data)."""
    safe = file_name.encode("utf-8", "replace").decode("utf-8")
    return safe.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


class CsvTextBody(Body):
    """A JSON body whose first member is the text of a CSV file, escaped while it is sent."""

    content_type = JSON

    def __init__(self, csv: FileBody, members: Mapping[str, Any]) -> None:
        self._csv = csv
        rest = dump_json(dict(members))
        self._rest = b'"' + (b"," + rest[1:] if len(rest) > 2 else b"}")

    def chunks(self) -> Iterator[bytes]:
        yield b'{"csv_text":"'
        decoder = codecs.getincrementaldecoder("utf-8")()
        for chunk in self._csv.chunks():
            yield _escaped(self._decoded(decoder, chunk))
        yield _escaped(self._decoded(decoder, b"", final=True)) + self._rest

    def _decoded(self, decoder: codecs.IncrementalDecoder, chunk: bytes, final: bool = False) -> str:
        try:
            return decoder.decode(chunk, final)
        except UnicodeDecodeError as reason:
            raise SourceFailed(reason) from reason


def _escaped(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8")


def is_utf8(csv: FileBody) -> bool:
    """Returns whether a file is UTF-8 text. XLSX files and UTF-16 are not."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    first: Optional[bytes] = None
    try:
        for chunk in csv.chunks():
            if first is None:
                first = chunk[:4]
                if first == b"PK\x03\x04":
                    return False
            if b"\0" in chunk:
                return False
            decoder.decode(chunk)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True
