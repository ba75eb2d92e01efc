"""Reads and changes the resources of the Subscribers surface."""

from __future__ import annotations

import uuid
from typing import Any, Dict, Iterator, Mapping, Optional, cast
from urllib.parse import quote

from .encoding import json_body
from .sources import Body
from .transport import Progress, Transport

_SURFACE = "subscribers"


class SubscribersApi:
    """Requests in the Subscribers dialect: ``{"data": …}`` and ``pagination``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @staticmethod
    def segment(text: str) -> str:
        return quote(text, safe="")

    def get(self, path: str) -> Dict[str, Any]:
        return self.send("GET", path, None)

    def send(
        self, method: str, path: str, members: Optional[Mapping[str, Any]], repeatable: bool = True
    ) -> Dict[str, Any]:
        body = None if members is None else json_body(dict(members))
        reply = self._transport.call(_SURFACE, method, path, body=body, repeatable=repeatable)
        parsed = reply.json() or {}
        return cast(Dict[str, Any], parsed.get("data", parsed))

    def create(
        self,
        path: str,
        body: Body,
        idempotency_key: Optional[str],
        request_id: Optional[str],
        on_progress: Optional[Progress],
    ) -> Dict[str, Any]:
        reply = self._transport.call(
            _SURFACE,
            "POST",
            path,
            headers={"Idempotency-Key": idempotency_key or f"py-{uuid.uuid4()}"},
            body=body,
            request_id=request_id,
            on_progress=on_progress,
        )
        return cast(Dict[str, Any], reply.json()["data"])

    def pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Dict[str, Any]]:
        after: Optional[str] = None
        while True:
            reply = self._transport.call(_SURFACE, "GET", path, query={**query, "starting_after": after})
            page = reply.json()
            yield from page["data"]
            pagination = page["pagination"]
            after = pagination.get("next_cursor")
            if not pagination.get("has_more") or after is None:
                return


class Resource:
    """One kind of resource: list, create, get, update and delete, with the members of the wire."""

    def __init__(self, api: SubscribersApi, path: str) -> None:
        self._api = api
        self._path = path

    def list(self, *, limit: Optional[int] = None, **filters: Any) -> Iterator[Dict[str, Any]]:
        """Iterates over all that match, newest first. ``limit`` is the size of a page."""
        chosen = {name: _flag(value) for name, value in filters.items()}
        return self._api.pages(self._path, {"limit": limit, **chosen})

    def create(
        self, *, idempotency_key: Optional[str] = None, request_id: Optional[str] = None, **members: Any
    ) -> Dict[str, Any]:
        return self._api.create(self._path, json_body(members), idempotency_key, request_id, None)

    def get(self, id: str) -> Dict[str, Any]:
        return self._api.get(self._one(id))

    def update(self, id: str, **members: Any) -> Dict[str, Any]:
        return self._api.send("PUT", self._one(id), members)

    def delete(self, id: str) -> None:
        self._api.send("DELETE", self._one(id), None)

    def _one(self, id: str) -> str:
        return f"{self._path}/{self._api.segment(id)}"


def _flag(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value
