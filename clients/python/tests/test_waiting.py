from __future__ import annotations

import json
from typing import Any, Dict, List

from rowpress import RowpressError

from .scripted_case import JOB, ScriptedCase
from .scripted_server import CUT, Request, Response

OPEN = {"job_id": JOB["job_id"], "status": "processing", "created_at": JOB["created_at"]}
FAILED = {**OPEN, "status": "failed", "error": {"code": "FAILED_ROW_THRESHOLD_EXCEEDED", "message": "x"}}
STREAM = (("Content-Type", "text/event-stream"),)


def event(name: str, **data: Any) -> bytes:
    return f"event: {name}\r\nid: 1\r\ndata: {json.dumps(data)}\r\n\r\n".encode("utf-8")


class Waiting(ScriptedCase):
    def create(self, server: Any, **options: Any) -> Any:
        return self.client(server).bulkfill.create_and_wait(pdf=b"1", package=b"2", csv=b"a", **options)

    def test_events(self) -> None:
        events = b": hello\n\n" + event("progress", status="processing", rows_total=9, rows_done=4, rows_failed=1)
        server = self.serve(Response(202, OPEN), Response(200, events + event("settled"), STREAM), Response(200, JOB))
        seen: List[Dict[str, Any]] = []
        self.assertEqual(self.create(server, on_progress=seen.append), JOB)
        paths = [request.path.rsplit("/", 1)[1] for request in server.requests]
        self.assertEqual(paths, ["export-jobs", "events", str(JOB["job_id"])])
        self.assertIn({"phase": "job", "status": "processing", "done": 4, "total": 9, "failed": 1}, seen)
        self.assertEqual(self.slept, [])

    def test_polling_after_failed_event_streams(self) -> None:
        polls = iter([OPEN] * 4 + [JOB])

        def answer(request: Request) -> "Response | str":
            if request.path.endswith("/events"):
                return steps.pop(0)
            return Response(202, OPEN) if request.method == "POST" else Response(200, next(polls))

        early = Response(200, event("progress", status="processing"), STREAM)
        steps: List[Any] = [Response(404, {"code": "ROUTE_NOT_FOUND", "message": "x"}), CUT, early]
        server = self.serve(answer)
        self.assertEqual(self.create(server), JOB)
        self.assertEqual(steps, [])
        self.assertEqual(len(self.slept), 2)

    def test_a_failed_job_is_returned(self) -> None:
        server = self.serve(Response(500, FAILED))
        self.assertEqual(self.create(server), FAILED)
        self.assertEqual(len(server.requests), 1)

    def test_a_wait_with_a_limit(self) -> None:
        server = self.serve(Response(200, OPEN))
        with self.assertRaises(RowpressError) as raised:
            self.client(server).bulkfill.wait("j", timeout_seconds=0.05)
        self.assertEqual(raised.exception.code, "WAIT_TIMEOUT")

    def test_an_error_of_the_callback_reaches_the_caller(self) -> None:
        events = event("progress", status="processing")
        server = self.serve(Response(202, OPEN), Response(200, events * 3, STREAM), Response(200, JOB))

        def stop(progress: Dict[str, Any]) -> None:
            if len(server.requests) == 2:
                raise ValueError("enough")

        with self.assertRaisesRegex(ValueError, "enough"):
            self.create(server, on_progress=stop)

    def test_exports_and_loads_are_polled(self) -> None:
        queued, done = ({"data": {"id": "e", "status": status}} for status in ("Queued", "Completed"))
        server = self.serve(Response(202, queued), Response(200, queued), Response(200, done))
        self.assertEqual(self.client(server).subscribers.export_and_wait(), done["data"])
        load = {"job_id": "job-1", "status": "RUNNING", "progress": {"processed": 1, "total": 2}, "summary": {"rejected": 1}}
        server = self.serve(Response(202, load), Response(200, load), Response(200, {**load, "status": "FAILED"}))
        seen: List[Dict[str, Any]] = []
        job = self.client(server).ingest.bulk_and_wait("master/skus", [{}], on_progress=seen.append)
        self.assertEqual(job["status"], "FAILED")
        self.assertIn({"phase": "job", "status": "RUNNING", "done": 1, "total": 2, "failed": 1}, seen)


class Lists(ScriptedCase):
    def test_every_page_is_read(self) -> None:
        pages = [Response(200, {"data": [1, 2], "next_cursor": "c+/"}), CUT, Response(200, {"data": [3], "next_cursor": None})]
        for path, read in (
            ("/v1/bulkfill/export-jobs", lambda client: client.bulkfill.list(limit=2)),
            ("/v1/bulkfill/export-jobs/j/problem-rows", lambda client: client.bulkfill.problem_rows("j", limit=2)),
            ("/wms-ingest/v1/quarantine", lambda client: client.ingest.quarantine.list(limit=2)),
            ("/wms-ingest/v1/jobs/j/results", lambda client: client.ingest.results("j", limit=2)),
        ):
            server = self.serve(*pages)
            self.assertEqual(list(read(self.client(server))), [1, 2, 3])
            queries = [request.path for request in server.requests]
            self.assertEqual(queries, [f"{path}?limit=2"] + [f"{path}?limit=2&cursor=c%2B%2F"] * 2)

    def test_pages_of_subscribers(self) -> None:
        more = {"data": [1], "pagination": {"has_more": True, "next_cursor": "c"}}
        last = {"data": [2], "pagination": {"has_more": False, "next_cursor": None}}
        server = self.serve(Response(200, more), Response(200, last))
        found = self.client(server).subscribers.list(status="Active", cold_only=True, tag_ids=["a", "b"])
        self.assertEqual(list(found), [1, 2])
        query = "status=Active&cold_only=true&tag_ids=a&tag_ids=b"
        self.assertEqual(server.requests[1].path, f"/v1/subscribers?{query}&starting_after=c")
