"""Keyword arguments that several methods share, for type checkers. At run time, the methods themselves check names."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, TypedDict

from .sources import Source


class NewExport(TypedDict, total=False):
    """Arguments of ``bulkfill.create``."""

    pdf: Optional[Source]
    package: Optional[Source]
    project: Optional[str]
    rows: Optional[Iterable[Mapping[str, Any]]]
    csv: Optional[Source]
    xlsx: Optional[Source]
    rows_from: Optional[str]
    max_failed_row_percent: int
    assets: Optional[Source]
    include_stickers: Optional[bool]
    flatten_forms: Optional[bool]
    filename_columns: Optional[Sequence[str]]
    dry_run: Optional[bool]
    output: Optional[str]
    sheet: Optional[Mapping[str, Any]]
    duplex: Optional[bool]
    password_column: Optional[str]
    verify_column: Optional[str]
    sign_manifest: Optional[bool]
    group_by: Optional[Sequence[str]]
    csv_header: Optional[bool]
    csv_encoding: Optional[str]
    match_columns: Optional[str]
    cell_values: Optional[str]
    webhook_url: Optional[str]
    webhook_secret: Optional[str]
    options: Optional[Mapping[str, Any]]
    idempotency_key: Optional[str]
    request_id: Optional[str]
    wait_seconds: int


class RetryRows(TypedDict, total=False):
    """Arguments of ``bulkfill.retry``."""

    rows: Optional[Sequence[Mapping[str, Any]]]
    max_failed_row_percent: Optional[int]
    idempotency_key: Optional[str]
    request_id: Optional[str]
    wait_seconds: int


class NewImport(TypedDict, total=False):
    """Arguments of ``subscribers.create_import`` besides ``mappings``."""

    csv_text: Optional[str]
    file: Optional[Source]
    upload_id: Optional[str]
    new_tag_name: Optional[str]
    existing_tag_ids: Optional[Sequence[str]]
    sequence_ids: Optional[Sequence[str]]
    dry_run: Optional[bool]
    mode: Optional[str]
    idempotency_key: Optional[str]
    request_id: Optional[str]


class NewSubscriberExport(TypedDict, total=False):
    """Arguments of ``subscribers.create_export``."""

    query: Optional[str]
    status: Optional[str]
    cold_only: Optional[bool]
    format: Optional[str]
    idempotency_key: Optional[str]
    request_id: Optional[str]


class NewLoad(TypedDict, total=False):
    """Arguments of ``ingest.bulk`` besides the items."""

    correlation_id: Optional[str]
    warehouse_id: Optional[str]
    content_type: Optional[str]


class NewRefresh(NewLoad, total=False):
    """Arguments of ``ingest.refresh`` besides the items."""

    confirm_empty: bool
