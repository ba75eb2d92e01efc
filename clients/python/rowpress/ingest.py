"""Ingest: push master data, documents and inventory. A request can be repeated; an item is stored once."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union, cast
from urllib.parse import quote

from .arguments import NewLoad, NewRefresh
from .encoding import JSON, NDJSON, dump_json, json_body, ndjson_body
from .errors import RowpressError
from .sources import Body, FileBody, Source, SpooledBody
from .transport import Progress, Transport
from .waiting import Job, wait_for_job

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SURFACE = "ingest"
_ROOT = "/wms-ingest/v1"
#: The state of a record does not change back, so a conflict is not retried.
_CONFLICT = ("state-conflict",)

Items = Union[Source, Iterable[Mapping[str, Any]]]


def _is_settled(job: Job) -> bool:
    return job["status"] in ("COMPLETED", "FAILED")


class IngestApi:
    """Requests in the Ingest dialect."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport

    def get(
        self, path: str, query: Optional[Mapping[str, Any]] = None, warehouse_id: Optional[str] = None
    ) -> Dict[str, Any]:
        headers = {} if warehouse_id is None else {"X-Warehouse-Id": warehouse_id}
        reply = self.transport.call(_SURFACE, "GET", _ROOT + path, query=query, headers=headers)
        return cast(Dict[str, Any], reply.json())

    def write(
        self,
        path: str,
        body: Optional[Body],
        correlation_id: Optional[str],
        warehouse_id: Optional[str],
        query: Optional[Mapping[str, Any]] = None,
        on_progress: Optional[Progress] = None,
        final: Sequence[str] = (),
    ) -> Dict[str, Any]:
        headers = {"X-Correlation-Id": correlation_id or str(uuid.uuid4())}
        if warehouse_id is not None:
            headers["X-Warehouse-Id"] = warehouse_id
        reply = self.transport.call(
            _SURFACE,
            "POST",
            _ROOT + path,
            query=query,
            headers=headers,
            body=body,
            request_id=headers["X-Correlation-Id"],
            on_progress=on_progress,
            final=final,
        )
        return cast(Dict[str, Any], reply.json())

    def pages(
        self, path: str, query: Mapping[str, Any], warehouse_id: Optional[str] = None
    ) -> Iterator[Dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self.get(path, {**query, "cursor": cursor}, warehouse_id)
            yield from page["data"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return


class Ingest:
    """``rp.ingest``. Every write takes ``correlation_id`` (a UUID or ULID) and ``warehouse_id``."""

    def __init__(self, transport: Transport) -> None:
        self._api = IngestApi(transport)
        self.quarantine = Quarantine(self._api)
        self.webhooks = IngestWebhooks(self._api)
        self.certificates = IngestCertificates(self._api)

    def upsert(
        self,
        collection: str,
        items: Iterable[Mapping[str, Any]],
        *,
        correlation_id: Optional[str] = None,
        warehouse_id: Optional[str] = None,
        validate_only: bool = False,
    ) -> Dict[str, Any]:
        """Sends items and returns ``results`` (in order) and ``summary``.

        If there are so many that the server makes a bulk load of them (5,000 by default), waits for it.
        """
        query = {"validate_only": "true" if validate_only else None}
        body = json_body({"items": list(items)})
        answer = self._api.write(_collection(collection), body, correlation_id, warehouse_id, query)
        if "job_id" not in answer:
            return answer
        job = self.wait(answer["job_id"])
        if job["status"] == "FAILED":
            error = job.get("error") or {}
            message = error.get("detail") or "The load failed."
            raise RowpressError(error.get("code", "LOAD_FAILED"), message, request_key=job["correlation_id"], retry="new-key")
        return {"results": list(self.results(job["job_id"], limit=1000)), "summary": job["summary"]}

    def bulk(
        self,
        collection: str,
        items: Items,
        *,
        correlation_id: Optional[str] = None,
        warehouse_id: Optional[str] = None,
        content_type: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Starts a load and returns ``job_id``, ``status_url`` and ``accepted_items``.

        ``items`` is an iterable of items, or a path, bytes or a callable that returns a binary stream of NDJSON
        (one item per line). A path that ends in ``.json`` is sent as a JSON document, ``.csv`` as CSV.
        """
        body = _payload(items, content_type)
        query = {"mode": "bulk"}
        return self._api.write(_collection(collection), body, correlation_id, warehouse_id, query, on_progress)

    def bulk_and_wait(
        self,
        collection: str,
        items: Items,
        *,
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[NewLoad],
    ) -> Job:
        """Takes the arguments of :meth:`bulk` and returns the settled job with its ``summary``."""
        accepted = self.bulk(collection, items, on_progress=on_progress, **arguments)
        return self.wait(accepted["job_id"], timeout_seconds=timeout_seconds, on_progress=on_progress)

    def refresh(
        self,
        collection: str,
        items: Items,
        *,
        confirm_empty: bool = False,
        correlation_id: Optional[str] = None,
        warehouse_id: Optional[str] = None,
        content_type: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Replaces a collection: items that are missing become ``INACTIVE``. Returns the results, or a job."""
        body = _document(items) if content_type is None and not _is_source(items) else _payload(items, content_type)
        query = {"mode": "full-refresh", "confirm": "empty" if confirm_empty else None}
        return self._api.write(_collection(collection), body, correlation_id, warehouse_id, query, on_progress)

    def refresh_and_wait(
        self,
        collection: str,
        items: Items,
        *,
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[NewRefresh],
    ) -> Dict[str, Any]:
        """Takes the arguments of :meth:`refresh`. Returns the results, or the settled job of a large refresh."""
        answer = self.refresh(collection, items, on_progress=on_progress, **arguments)
        if "job_id" not in answer:
            return answer
        return self.wait(answer["job_id"], timeout_seconds=timeout_seconds, on_progress=on_progress)

    def get(self, job_id: str) -> Job:
        return self._api.get(f"/jobs/{quote(job_id, safe='')}")

    def wait(
        self, job_id: str, *, timeout_seconds: Optional[float] = None, on_progress: Optional[Progress] = None
    ) -> Job:
        """Returns the job once it has settled."""
        return wait_for_job(
            self._api.transport,
            _SURFACE,
            lambda: self.get(job_id),
            _is_settled,
            None,
            timeout_seconds,
            on_progress,
        )

    def results(self, job_id: str, *, limit: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """Iterates over the result of every item of a load, in payload order."""
        return self._api.pages(f"/jobs/{quote(job_id, safe='')}/results", {"limit": limit})

    def item(self, collection: str, source_id: str, *, warehouse_id: Optional[str] = None) -> Dict[str, Any]:
        """Returns a stored item with its version and state."""
        return self._api.get(f"{_collection(collection)}/{quote(source_id, safe='')}", None, warehouse_id)

    def history(self, collection: str, source_id: str, *, limit: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """Iterates over the changes of an item, newest first."""
        return self._api.pages(f"{_collection(collection)}/{quote(source_id, safe='')}/history", {"limit": limit})

    def mapping(self, collection: str, source_id: str) -> Dict[str, Any]:
        return self._api.get(f"/mappings{_collection(collection)}/{quote(source_id, safe='')}")

    def mapping_by_internal_id(self, internal_id: str) -> Dict[str, Any]:
        return self._api.get(f"/mappings/by-internal-id/{quote(internal_id, safe='')}")

    def request(self, correlation_id: str) -> Dict[str, Any]:
        """Returns what a correlation id refers to: the stored response, or the job."""
        return self._api.get(f"/requests/{quote(correlation_id, safe='')}")

    def capabilities(self) -> Dict[str, Any]:
        return self._api.get("/capabilities")


class Quarantine:
    """``rp.ingest.quarantine``: items that refer to something that does not exist yet."""

    def __init__(self, api: IngestApi) -> None:
        self._api = api

    def list(
        self,
        *,
        collection: Optional[str] = None,
        status: Optional[str] = None,
        limit: Optional[int] = None,
        warehouse_id: Optional[str] = None,
    ) -> Iterator[Dict[str, Any]]:
        query = {"collection": collection, "status": status, "limit": limit}
        return self._api.pages("/quarantine", query, warehouse_id)

    def get(self, quarantine_id: str, *, warehouse_id: Optional[str] = None) -> Dict[str, Any]:
        return self._api.get(f"/quarantine/{quote(quarantine_id, safe='')}", None, warehouse_id)

    def release(
        self, quarantine_id: str, *, correlation_id: Optional[str] = None, warehouse_id: Optional[str] = None
    ) -> Dict[str, Any]:
        """Accepts the item although it failed a rule."""
        path = f"/quarantine/{quote(quarantine_id, safe='')}/release"
        return self._api.write(path, None, correlation_id, warehouse_id, final=_CONFLICT)

    def discard(
        self, quarantine_id: str, *, correlation_id: Optional[str] = None, warehouse_id: Optional[str] = None
    ) -> Dict[str, Any]:
        path = f"/quarantine/{quote(quarantine_id, safe='')}/discard"
        return self._api.write(path, None, correlation_id, warehouse_id, final=_CONFLICT)

    def redrive(
        self,
        *,
        collection: Optional[str] = None,
        correlation_id: Optional[str] = None,
        warehouse_id: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Evaluates every open record whose missing references now exist."""
        query = {"collection": collection}
        return self._api.write("/quarantine/redrive", None, correlation_id, warehouse_id, query)


class IngestWebhooks:
    """``rp.ingest.webhooks``."""

    def __init__(self, api: IngestApi) -> None:
        self._api = api

    def list(self) -> Iterator[Dict[str, Any]]:
        return self._api.pages("/webhooks", {})

    def create(
        self, url: str, *, events: Optional[List[str]] = None, correlation_id: Optional[str] = None
    ) -> Dict[str, Any]:
        """Registers a webhook. Read its secret with :meth:`secret`."""
        members: Dict[str, Any] = {"url": url} if events is None else {"url": url, "events": events}
        return self._api.write("/webhooks", json_body(members), correlation_id, None, final=_CONFLICT)

    def secret(self, webhook_id: str) -> Dict[str, Any]:
        return self._api.get(f"/webhooks/{quote(webhook_id, safe='')}/secret")

    def rotate_secret(self, webhook_id: str, *, correlation_id: Optional[str] = None) -> Dict[str, Any]:
        path = f"/webhooks/{quote(webhook_id, safe='')}/rotate-secret"
        return self._api.write(path, None, correlation_id, None)

    def remove(self, webhook_id: str, *, correlation_id: Optional[str] = None) -> Dict[str, Any]:
        return self._api.write(f"/webhooks/{quote(webhook_id, safe='')}/remove", None, correlation_id, None)


class IngestCertificates:
    """``rp.ingest.certificates``: client certificates that authenticate the partner instead of a key."""

    def __init__(self, api: IngestApi) -> None:
        self._api = api

    def list(self) -> Iterator[Dict[str, Any]]:
        return self._api.pages("/certificates", {})

    def register(
        self, thumbprint: str, *, warehouses: Optional[List[str]] = None, correlation_id: Optional[str] = None
    ) -> Dict[str, Any]:
        """Registers the certificate that this connection presents (``ssl_context``)."""
        members: Dict[str, Any] = {"thumbprint": thumbprint}
        if warehouses is not None:
            members["warehouses"] = warehouses
        return self._api.write("/certificates", json_body(members), correlation_id, None)

    def revoke(self, thumbprint: str, *, correlation_id: Optional[str] = None) -> Dict[str, Any]:
        return self._api.write(f"/certificates/{quote(thumbprint, safe='')}/revoke", None, correlation_id, None)


def _collection(name: str) -> str:
    group, slash, rest = name.strip("/").partition("/")
    if not slash or not rest:
        raise ValueError(f"A collection has two parts, such as master/skus; received {name!r}.")
    return f"/{quote(group, safe='')}/{quote(rest, safe='')}"


def _is_source(items: Any) -> bool:
    return isinstance(items, (str, os.PathLike, bytes, bytearray, memoryview)) or callable(items)


def _payload(items: Items, content_type: Optional[str]) -> Body:
    if not _is_source(items):
        return ndjson_body(cast(Iterable[Any], items))
    if content_type is None and isinstance(items, (str, os.PathLike)):
        kinds = {".json": JSON, ".csv": "text/csv"}
        content_type = kinds.get(os.path.splitext(os.fspath(items))[1].lower())
    return FileBody(cast(Source, items), "items.ndjson", content_type or NDJSON)


def _document(items: Any) -> Body:
    """A JSON document: a small refresh of this form gets its results at once."""
    pieces = ((b"," if index else b"") + dump_json(item) for index, item in enumerate(items))

    def whole() -> Iterator[bytes]:
        yield b'{"items":['
        yield from pieces
        yield b"]}"

    return SpooledBody(whole(), JSON)
