"""Subscribers: import and export lists, and manage the resources that these jobs use."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Iterator, Mapping, Optional, Sequence, cast

from .arguments import NewImport, NewSubscriberExport
from .downloads import Download, save
from .encoding import CsvTextBody, is_utf8, json_body
from .errors import RowpressError
from .resources import Resource, SubscribersApi
from .sources import Body, FileBody, Source
from .transport import Progress, Transport
from .waiting import Job, wait_for_job

if TYPE_CHECKING:
    from typing_extensions import Unpack

_IMPORTS = "/v1/jobs/subscriber-imports"
_EXPORTS = "/v1/jobs/subscriber-exports"
_UPLOADS = "/v1/jobs/subscriber-import-uploads"


def _is_settled(job: Job) -> bool:
    return job["status"] in ("Completed", "Failed")


class Subscribers(Resource):
    """``rp.subscribers``. The methods of :class:`Resource` read and change single subscribers."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._api = SubscribersApi(transport)
        super().__init__(self._api, "/v1/subscribers")
        self.tags = Resource(self._api, "/v1/tags")
        self.custom_fields = Resource(self._api, "/v1/custom-fields")
        self.webhooks = WebhookSubscriptions(self._api, "/v1/webhook-subscriptions")

    # Imports

    def create_import(
        self,
        *,
        mappings: Sequence[Mapping[str, Any]],
        csv_text: Optional[str] = None,
        file: Optional[Source] = None,
        upload_id: Optional[str] = None,
        new_tag_name: Optional[str] = None,
        existing_tag_ids: Optional[Sequence[str]] = None,
        sequence_ids: Optional[Sequence[str]] = None,
        dry_run: Optional[bool] = None,
        mode: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> Job:
        """Creates an import from exactly one of ``csv_text``, ``file`` and ``upload_id``.

        A mapping is ``{"csv_column": "Email", "field": "email"}``; for a custom field, ``field`` is
        ``{"type": "custom-field", "custom_field_id": "…"}``. A UTF-8 CSV file is sent with the request, so the
        same ``idempotency_key`` returns the same job even from another process. Other files are uploaded first.
        """
        if sum(each is not None for each in (csv_text, file, upload_id)) != 1:
            raise ValueError("Pass exactly one of csv_text, file and upload_id.")
        members: Dict[str, Any] = {
            "csv_text": csv_text,
            "upload_id": upload_id,
            "mappings": [_mapping(each) for each in mappings],
            "new_tag_name": new_tag_name,
            "existing_tag_ids": None if existing_tag_ids is None else list(existing_tag_ids),
            "sequence_ids": None if sequence_ids is None else list(sequence_ids),
            "dry_run": dry_run,
            "mode": mode,
        }
        body: Body
        content = None if file is None else FileBody(file, "subscribers.csv")
        if content is not None and is_utf8(content):
            body = CsvTextBody(content, {key: value for key, value in members.items() if value is not None})
        else:
            if file is not None:
                members["upload_id"] = self.upload(file, on_progress=on_progress)["id"]
            body = json_body({key: value for key, value in members.items() if value is not None})
        return self._api.create(_IMPORTS, body, idempotency_key, request_id, on_progress)

    def import_and_wait(
        self,
        *,
        mappings: Sequence[Mapping[str, Any]],
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[NewImport],
    ) -> Job:
        """Takes the arguments of :meth:`create_import` and returns the settled job. Rows that failed do not fail it."""
        job = self.create_import(mappings=mappings, on_progress=on_progress, **arguments)
        return self.wait_for_import(str(job["id"]), timeout_seconds=timeout_seconds, on_progress=on_progress)

    def get_import(self, job_id: str) -> Job:
        return self._api.get(f"{_IMPORTS}/{self._api.segment(job_id)}")

    def imports(self, *, limit: Optional[int] = None) -> Iterator[Job]:
        return self._api.pages(_IMPORTS, {"limit": limit})

    def wait_for_import(
        self, job_id: str, *, timeout_seconds: Optional[float] = None, on_progress: Optional[Progress] = None
    ) -> Job:
        events = f"{_IMPORTS}/{self._api.segment(job_id)}/events"
        return self._wait(lambda: self.get_import(job_id), events, timeout_seconds, on_progress)

    def failed_rows(self, job_id: str) -> Iterator[Dict[str, str]]:
        """Iterates over the failed rows of an import: line, column, value, code, message and the original cells."""
        download = Download(self._transport, "subscribers", lambda: self._failed_rows_path(job_id), True)
        with download:
            download.start()
            text = io.TextIOWrapper(io.BufferedReader(download, 1 << 16), encoding="utf-8-sig", newline="")
            yield from csv.DictReader(text)

    def download_failed_rows(self, job_id: str, path: "str | os.PathLike[str]") -> str:
        """Writes the failed rows to a CSV file, which can be imported again once its cells are corrected."""
        download = Download(self._transport, "subscribers", lambda: self._failed_rows_path(job_id), True)
        return save(download, path, lambda part, digest, download: None)

    def _failed_rows_path(self, job_id: str) -> str:
        return f"{_IMPORTS}/{self._api.segment(job_id)}/failed-rows"

    def upload(
        self, file: Source, *, file_name: Optional[str] = None, on_progress: Optional[Progress] = None
    ) -> Dict[str, Any]:
        """Uploads a CSV or XLSX file and returns the upload, with its headers and ``proposed_mappings``."""
        content = FileBody(file, file_name or "subscribers.csv")
        reply = self._transport.call(
            "subscribers", "POST", _UPLOADS, body=json_body({"file_name": file_name or content.file_name})
        )
        made = reply.json()["data"]
        # The link is the permission; the key is not sent.
        self._transport.call(
            "subscribers", "PUT", made["upload_url"], body=content, with_key=False, on_progress=on_progress
        )
        return self.get_upload(made["id"])

    def get_upload(self, upload_id: str) -> Dict[str, Any]:
        return self._api.get(f"{_UPLOADS}/{self._api.segment(upload_id)}")

    # Exports

    def create_export(
        self,
        *,
        query: Optional[str] = None,
        status: Optional[str] = None,
        cold_only: Optional[bool] = None,
        format: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
    ) -> Job:
        """Creates an export of the subscribers that match. ``format`` is ``'csv'`` (default) or ``'ndjson'``."""
        members = {"query": query, "status": status, "cold_only": cold_only, "format": format}
        body = json_body({key: value for key, value in members.items() if value is not None})
        return self._api.create(_EXPORTS, body, idempotency_key, request_id, None)

    def export_and_wait(
        self,
        *,
        path: "str | os.PathLike[str] | None" = None,
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[NewSubscriberExport],
    ) -> Job:
        """Takes the arguments of :meth:`create_export`, returns the settled job and, with ``path``, writes the file."""
        job = self.create_export(**arguments)
        job = self.wait_for_export(str(job["id"]), timeout_seconds=timeout_seconds, on_progress=on_progress)
        if path is not None and job["status"] == "Completed":
            self.download_export(job["id"], path, on_progress=on_progress)
        return job

    def get_export(self, job_id: str) -> Job:
        return self._api.get(f"{_EXPORTS}/{self._api.segment(job_id)}")

    def exports(self, *, limit: Optional[int] = None) -> Iterator[Job]:
        return self._api.pages(_EXPORTS, {"limit": limit})

    def wait_for_export(
        self, job_id: str, *, timeout_seconds: Optional[float] = None, on_progress: Optional[Progress] = None
    ) -> Job:
        return self._wait(lambda: self.get_export(job_id), None, timeout_seconds, on_progress)

    def download_export(
        self, job_id: str, path: "str | os.PathLike[str]", *, on_progress: Optional[Progress] = None
    ) -> str:
        """Writes the exported file to ``path`` and checks its SHA-256. Returns the path."""
        return save(self._export_file(job_id), path, _check_etag, on_progress)

    def stream_export(self, job_id: str) -> BinaryIO:
        """Opens the exported file as a binary stream. Close it when you are done."""
        download = self._export_file(job_id)
        download.start()
        return cast(BinaryIO, io.BufferedReader(download, 1 << 18))

    def _export_file(self, job_id: str) -> Download:
        def link() -> str:
            url = self.get_export(job_id).get("download_url")
            if not isinstance(url, str):
                raise RowpressError("resource_not_found", "The export has no file: it is open, failed or expired.")
            return url

        return Download(self._transport, "subscribers", link, False)

    # Single subscribers (list, get, update and delete are those of Resource)

    def upsert(
        self,
        email: str,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        **members: Any,
    ) -> Dict[str, Any]:
        """Creates or updates a subscriber by email. ``create_only=True`` rejects an existing one."""
        return self.create(idempotency_key=idempotency_key, request_id=request_id, email=email, **members)

    def update(self, id: str, **members: Any) -> Dict[str, Any]:
        return self._api.send("PATCH", self._one(id), members)

    def set_status(self, id: str, status: str) -> Dict[str, Any]:
        return self._api.send("PUT", f"{self._one(id)}/status", {"status": status})

    def add_tag(self, id: str, tag_id: str) -> Dict[str, Any]:
        return self._api.send("PUT", f"{self._one(id)}/tags/{self._api.segment(tag_id)}", None)

    def remove_tag(self, id: str, tag_id: str) -> Dict[str, Any]:
        return self._api.send("DELETE", f"{self._one(id)}/tags/{self._api.segment(tag_id)}", None)

    def workspace(self) -> Dict[str, Any]:
        return self._api.get("/v1/workspace")

    def capabilities(self) -> Dict[str, Any]:
        return self._api.get("/v1/capabilities")

    def _wait(
        self,
        fetch: Callable[[], Job],
        events: Optional[str],
        timeout_seconds: Optional[float],
        on_progress: Optional[Progress],
    ) -> Job:
        return wait_for_job(
            self._transport, "subscribers", fetch, _is_settled, events, timeout_seconds, on_progress
        )


class WebhookSubscriptions(Resource):
    """``rp.subscribers.webhooks``. ``create`` returns ``subscription`` and ``signing_secret``."""

    def rotate_secret(self, id: str) -> Dict[str, Any]:
        """Replaces the secret. Never repeated automatically: a second rotation would end the first secret early."""
        return self._api.send("POST", f"{self._one(id)}/rotate-secret", None, repeatable=False)


def _mapping(mapping: Mapping[str, Any]) -> Dict[str, Any]:
    field = mapping.get("field")
    return {**mapping, "field": {"type": field} if isinstance(field, str) else field}


def _check_etag(part: str, digest: "hashlib._Hash", download: Download) -> None:
    """The ETag of an export is the SHA-256 of its content."""
    declared = re.fullmatch(r'"([0-9a-f]{64})"', download.etag or "")
    if declared is not None and declared[1] != digest.hexdigest():
        raise RowpressError("CHECKSUM_MISMATCH", "The file does not match its SHA-256.", retry="same-key")
