"""Bulk Fill: one PDF, one sealed package and many rows become one ZIP."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import uuid
from typing import TYPE_CHECKING, Any, BinaryIO, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, cast
from urllib.parse import quote

from .archives import damaged, verify_archive
from .arguments import NewExport, RetryRows
from .downloads import Download, save
from .encoding import json_body, multipart_body, rows_body
from .errors import RowpressError
from .projects import Projects
from .sources import Body, FileBody, Source
from .transport import Progress, Reply, Transport
from .waiting import Job, wait_for_job

if TYPE_CHECKING:
    from typing_extensions import Unpack

_SURFACE = "bulkfill"
_JOBS = "/v1/bulkfill/export-jobs"
_MAX_SYNC_WAIT = 10


def _is_job(status: int, body: Any) -> bool:
    """A failed job in response mode is a 500 with the job as its body."""
    return isinstance(body, dict) and "job_id" in body and "status" in body


def _is_settled(job: Job) -> bool:
    return job["status"] in ("completed", "failed")


class Bulkfill:
    """``rp.bulkfill``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.projects = Projects(transport)

    def create(
        self,
        *,
        pdf: Optional[Source] = None,
        package: Optional[Source] = None,
        project: Optional[str] = None,
        rows: Optional[Iterable[Mapping[str, Any]]] = None,
        csv: Optional[Source] = None,
        xlsx: Optional[Source] = None,
        rows_from: Optional[str] = None,
        max_failed_row_percent: int = 0,
        assets: Optional[Source] = None,
        include_stickers: Optional[bool] = None,
        flatten_forms: Optional[bool] = None,
        filename_columns: Optional[Sequence[str]] = None,
        dry_run: Optional[bool] = None,
        output: Optional[str] = None,
        sheet: Optional[Mapping[str, Any]] = None,
        duplex: Optional[bool] = None,
        password_column: Optional[str] = None,
        verify_column: Optional[str] = None,
        sign_manifest: Optional[bool] = None,
        group_by: Optional[Sequence[str]] = None,
        csv_header: Optional[bool] = None,
        csv_encoding: Optional[str] = None,
        match_columns: Optional[str] = None,
        cell_values: Optional[str] = None,
        webhook_url: Optional[str] = None,
        webhook_secret: Optional[str] = None,
        options: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        wait_seconds: int = 0,
        on_progress: Optional[Progress] = None,
    ) -> Job:
        """Creates a job and returns it without waiting for its end, or after at most ``wait_seconds``.

        Pass ``pdf`` and ``package`` (or ``project``) and exactly one of ``rows``, ``csv``, ``xlsx`` and
        ``rows_from``. ``options`` holds further form fields by their wire names. To resume after a crash of
        your own program, pass the same ``idempotency_key`` again.
        """
        chosen: Dict[str, Any] = {
            "project": project,
            "rows_from": rows_from,
            "max_failed_row_percent": max_failed_row_percent,
            "include_stickers": include_stickers,
            "flatten_forms": flatten_forms,
            "filename_columns": None if filename_columns is None else list(filename_columns),
            "dry_run": dry_run,
            "output": output,
            "sheet": None if sheet is None else dict(sheet),
            "duplex": duplex,
            "password_column": password_column,
            "verify_column": verify_column,
            "sign_manifest": sign_manifest,
            "group_by": None if group_by is None else list(group_by),
            "csv_header": csv_header,
            "csv_encoding": csv_encoding,
            "match_columns": match_columns,
            "cell_values": cell_values,
            "delivery_mode": None if webhook_url is None else "webhook",
            "webhook_url": webhook_url,
            "webhook_secret": webhook_secret,
            **(options or {}),
        }
        fields = [(name, _text(value)) for name, value in chosen.items() if value is not None]
        files: List[Tuple[str, Body, str]] = []
        for name, source, file_name in (
            ("pdf", pdf, "source.pdf"),
            ("doqlo_file", package, "layout.doqlo"),
            ("csv_file", csv, "rows.csv"),
            ("rows_file", xlsx, "rows.xlsx"),
            ("assets_file", assets, "assets.zip"),
        ):
            if source is not None:
                body = FileBody(source, file_name)
                files.append((name, body, body.file_name))
        if rows is not None:
            files.append(("rows_json", rows_body(rows), "rows.json"))
        form = multipart_body(fields, files)
        return self._post(_JOBS, form, idempotency_key, request_id, wait_seconds, on_progress)

    def create_and_wait(
        self,
        *,
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[NewExport],
    ) -> Job:
        """Creates a job and returns it once it has settled. A failed job is returned, not raised.

        Takes the arguments of :meth:`create`. ``timeout_seconds`` limits the wait, not the job.
        """
        arguments.setdefault("wait_seconds", self._sync_wait())
        job = self.create(on_progress=on_progress, **arguments)
        return self._settled(job, timeout_seconds, on_progress)

    def get(self, job_id: str) -> Job:
        return cast(Job, self._get(self._path(job_id)).json())

    def list(self, *, limit: Optional[int] = None) -> Iterator[Job]:
        """Iterates over all jobs of the account, newest first. ``limit`` is the size of a page."""
        return self._pages(_JOBS, {"limit": limit})

    def wait(
        self, job_id: str, *, timeout_seconds: Optional[float] = None, on_progress: Optional[Progress] = None
    ) -> Job:
        """Returns the job once it has settled."""
        return self._settled(self.get(job_id), timeout_seconds, on_progress)

    def cancel(self, job_id: str) -> Job:
        """Ends an open job. For a settled job, it deletes the files."""
        reply = self._transport.call(_SURFACE, "DELETE", self._path(job_id))
        return cast(Job, reply.json()) if reply.data else self.get(job_id)

    def retry(
        self,
        job_id: str,
        *,
        rows: Optional[Sequence[Mapping[str, Any]]] = None,
        max_failed_row_percent: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        wait_seconds: int = 0,
    ) -> Job:
        """Creates a job from the rows that failed. ``rows`` corrects them: ``{"row_number", "cells"}``."""
        body: Dict[str, Any] = {}
        if rows is not None:
            body["rows"] = [dict(row) for row in rows]
        if max_failed_row_percent is not None:
            body["max_failed_row_percent"] = max_failed_row_percent
        path = f"{self._path(job_id)}/retry"
        return self._post(path, json_body(body), idempotency_key, request_id, wait_seconds, None)

    def retry_and_wait(
        self,
        job_id: str,
        *,
        timeout_seconds: Optional[float] = None,
        on_progress: Optional[Progress] = None,
        **arguments: Unpack[RetryRows],
    ) -> Job:
        """Takes the arguments of :meth:`retry` and returns the settled job."""
        arguments.setdefault("wait_seconds", self._sync_wait())
        job = self.retry(job_id, **arguments)
        return self._settled(job, timeout_seconds, on_progress)

    def problem_rows(
        self, job_id: str, *, status: Optional[str] = None, limit: Optional[int] = None
    ) -> Iterator[Dict[str, Any]]:
        """Iterates over failed rows, skipped overlays and notes, in row order. ``status`` filters them."""
        return self._pages(f"{self._path(job_id)}/problem-rows", {"status": status, "limit": limit})

    def manifest(self, job_id: str) -> Dict[str, Any]:
        return cast(Dict[str, Any], self._get(f"{self._path(job_id)}/manifest").json())

    def row_pdf(self, job_id: str, row_number: int) -> bytes:
        return self._get(f"{self._path(job_id)}/rows/{int(row_number)}.pdf").data

    def row_png(
        self, job_id: str, row_number: int, *, page: Optional[int] = None, width: Optional[int] = None
    ) -> bytes:
        """Returns a picture of one page of a row's PDF."""
        return self._get(f"{self._path(job_id)}/rows/{int(row_number)}.png", {"page": page, "width": width}).data

    def idempotency_key(self, key: str) -> Dict[str, Any]:
        """Returns the job that an idempotency key belongs to, and when the key expires."""
        return cast(Dict[str, Any], self._get("/v1/bulkfill/idempotency-keys", {"key": key}).json())

    def download(
        self,
        job_id: str,
        path: "str | os.PathLike[str]",
        *,
        verify: bool = True,
        signed_by: Optional[Sequence[str]] = None,
        on_progress: Optional[Progress] = None,
    ) -> str:
        """Writes the ZIP to ``path`` and returns the path. The file appears only when it is complete.

        A lost connection is resumed. With ``verify``, every row's SHA-256 is compared with the manifest.
        ``signed_by`` lists public seal keys, one of which must have signed the manifest.
        """

        def check(part: str, digest: "hashlib._Hash", download: Download) -> None:
            if verify or signed_by is not None:
                verify_archive(part, signed_by)

        return save(self._download(job_id), path, check, on_progress)

    def stream(self, job_id: str) -> BinaryIO:
        """Opens the ZIP as a binary stream that resumes a lost connection. Close it when you are done."""
        download = self._download(job_id)
        download.start()
        return cast(BinaryIO, io.BufferedReader(download, 1 << 18))

    def download_merged(
        self,
        job_id: str,
        path: "str | os.PathLike[str]",
        *,
        verify: bool = True,
        on_progress: Optional[Progress] = None,
    ) -> str:
        """Writes the PDF of all rows alone to ``path`` and returns the path. The file appears only when it is complete.

        The job must have been created with ``output`` ``merged`` or ``both``. A lost connection is resumed. With ``verify``,
        the SHA-256 is compared with the one that the server announced.
        """

        def check(part: str, digest: "hashlib._Hash", download: Download) -> None:
            if verify and digest.hexdigest() != self._merged_sha256(job_id, download):
                raise damaged("it does not have the SHA-256 that the server announced", "PDF")

        return save(self._download(job_id, "merged.pdf"), path, check, on_progress)

    def stream_merged(self, job_id: str) -> BinaryIO:
        """Opens the PDF of all rows as a binary stream that resumes a lost connection. Close it when you are done."""
        download = self._download(job_id, "merged.pdf")
        download.start()
        return cast(BinaryIO, io.BufferedReader(download, 1 << 18))

    def _merged_sha256(self, job_id: str, download: Download) -> Any:
        # An object store has its own ETag, and a proxy may remove it.
        match = re.fullmatch(r'"([0-9a-f]{64})"', download.etag or "")
        return match[1] if match is not None else self.manifest(job_id).get("merged", {}).get("sha256")

    def _download(self, job_id: str, file: str = "download") -> Download:
        return Download(self._transport, _SURFACE, lambda: f"{self._path(job_id)}/{file}", True)

    def _settled(self, job: Job, timeout_seconds: Optional[float], on_progress: Optional[Progress]) -> Job:
        job_id = str(job["job_id"])
        settled = wait_for_job(
            self._transport,
            _SURFACE,
            lambda: self.get(job_id),
            _is_settled,
            f"{self._path(job_id)}/events",
            timeout_seconds,
            on_progress,
            job,
        )
        # The response to a create in webhook mode contains no result.
        return self.get(job_id) if settled["status"] == "completed" and "result" not in settled else settled

    def _post(
        self,
        path: str,
        body: Body,
        idempotency_key: Optional[str],
        request_id: Optional[str],
        wait_seconds: int,
        on_progress: Optional[Progress],
    ) -> Job:
        headers = {"Idempotency-Key": idempotency_key or f"py-{uuid.uuid4()}", "Prefer": f"wait={int(wait_seconds)}"}
        reply = self._transport.call(
            _SURFACE,
            "POST",
            path,
            headers=headers,
            body=body,
            request_id=request_id,
            on_progress=on_progress,
            accepts=_is_job,
        )
        return cast(Job, reply.json())

    def _sync_wait(self) -> int:
        """How long a create may wait for its job: below the time limit of the attempt and of common proxies."""
        return min(_MAX_SYNC_WAIT, int(self._transport.timeout / 2))

    def _get(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Reply:
        return self._transport.call(_SURFACE, "GET", path, query=query)

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self._get(path, {**query, "cursor": cursor}).json()
            yield from page["data"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return

    @staticmethod
    def _path(job_id: str) -> str:
        if not isinstance(job_id, str) or not job_id:
            raise RowpressError("INVALID_JOB_ID", f"A job id must be text; received {job_id!r}.")
        return f"{_JOBS}/{quote(job_id, safe='')}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
