from __future__ import annotations

import time
import uuid
from typing import Any

from rowpress import RowpressError

from .scripted_case import JOB, ScriptedCase
from .scripted_server import CUT, STALL, Response


def refusal(status: int, code: str, **headers: str) -> Response:
    return Response(status, {"code": code, "message": "No."}, tuple((n.replace("_", "-"), v) for n, v in headers.items()))


class Retries(ScriptedCase):
    def create(self, client: Any, **options: Any) -> Any:
        return client.bulkfill.create(pdf=b"%PDF", package=b"PK", rows=[{"column_0": "a"}], **options)

    def test_keys_are_kept_across_retries(self) -> None:
        server = self.serve(CUT, refusal(503, "SERVICE_UNAVAILABLE", Retry_After="1"), CUT, Response(200, JOB))
        self.assertEqual(self.create(self.client(server)), JOB)
        keys = {request.headers["idempotency-key"] for request in server.requests}
        ids = {request.headers["x-request-id"] for request in server.requests}
        bodies = {request.body for request in server.requests}
        self.assertEqual((len(server.requests), len(keys), len(ids), len(bodies)), (4, 1, 1, 1))
        self.create(self.client(server))
        self.assertNotIn(server.requests[-1].headers["idempotency-key"], keys)

    def test_the_caller_can_choose_the_key(self) -> None:
        server = self.serve(CUT, Response(200, JOB))
        self.create(self.client(server), idempotency_key="order-7", request_id="mine")
        self.assertEqual([request.headers["idempotency-key"] for request in server.requests], ["order-7"] * 2)
        self.assertEqual([request.headers["x-request-id"] for request in server.requests], ["mine"] * 2)

    def test_a_correlation_id_is_kept_across_retries(self) -> None:
        server = self.serve(CUT, CUT, Response(200, {"results": [], "summary": {}}))
        client = self.client(server)
        client.ingest.upsert("master/skus", [{"source_id": "a"}], warehouse_id="W1")
        ids = {request.headers["x-correlation-id"] for request in server.requests}
        self.assertEqual(len(server.requests), 3)
        self.assertEqual(uuid.UUID(ids.pop()).version, 4)
        self.assertFalse(ids)
        self.assertEqual(server.requests[0].headers["x-warehouse-id"], "W1")

    def test_only_same_key_errors_are_retried(self) -> None:
        for status, code, retry in (
            (400, "INVALID_FIELD", "no"),
            (409, "IDEMPOTENCY_KEY_PAYLOAD_MISMATCH", "new-key"),
            (404, "A_CODE_OF_A_NEWER_SERVER", "no"),
        ):
            with self.subTest(code):
                server = self.serve(refusal(status, code, X_Request_Id="r-1"))
                with self.assertRaises(RowpressError) as raised:
                    self.create(self.client(server), idempotency_key="k")
                error = raised.exception
                self.assertEqual((error.code, error.status, error.retry, error.message), (code, status, retry, "No."))
                self.assertEqual((error.request_id, error.request_key, error.retry_after_seconds), ("r-1", "k", None))
                self.assertEqual(len(server.requests), 1)

    def test_retries_end(self) -> None:
        server = self.serve(refusal(503, "SERVICE_UNAVAILABLE", Retry_After="1"))
        with self.assertRaises(RowpressError) as raised:
            self.create(self.client(server, retries=3))
        self.assertEqual((raised.exception.retry, raised.exception.retry_after_seconds), ("same-key", 1))
        self.assertEqual(len(server.requests), 4)
        for options, attempts in (({}, 9), ({"retries": 0}, 1)):
            server = self.serve(CUT)
            with self.assertRaises(RowpressError) as raised:
                self.client(server, **options).bulkfill.get("x")
            self.assertEqual((raised.exception.code, raised.exception.status), ("CONNECTION_FAILED", 0))
            self.assertEqual(len(server.requests), attempts)

    def test_delays_grow_with_jitter_and_honour_retry_after(self) -> None:
        server = self.serve(CUT)
        with self.assertRaises(RowpressError):
            self.client(server).bulkfill.get("x")
        for tries, slept in enumerate(self.slept):
            full = min(8.0, 0.25 * 2**tries)
            self.assertTrue(full / 2 <= slept <= full, (tries, slept))
        self.assertEqual(len(self.slept), 8)
        self.slept.clear()
        server = self.serve(refusal(429, "RATE_LIMITED", Retry_After="17"), Response(200, JOB))
        self.create(self.client(server))
        self.assertEqual(self.slept, [17])

    def test_a_long_retry_after_is_returned_to_the_caller(self) -> None:
        server = self.serve(refusal(429, "HIGH_FAIL_RATIO_COOLDOWN", Retry_After="600"))
        with self.assertRaises(RowpressError) as raised:
            self.create(self.client(server))
        self.assertEqual((raised.exception.retry, raised.exception.retry_after_seconds), ("same-key", 600))
        self.assertEqual((len(server.requests), self.slept), (1, []))
        server = self.serve(refusal(429, "HIGH_FAIL_RATIO_COOLDOWN", Retry_After="600"), Response(200, JOB))
        self.create(self.client(server, max_retry_after_seconds=600))
        self.assertEqual(self.slept, [600])

    def test_a_conflict_that_does_not_change_is_not_retried(self) -> None:
        conflict = Response(409, {"type": "https://x/#state-conflict", "title": "T", "status": 409, "detail": "D."})
        server = self.serve(conflict)
        with self.assertRaises(RowpressError) as raised:
            self.client(server).ingest.quarantine.release("q")
        self.assertEqual((raised.exception.code, len(server.requests)), ("state-conflict", 1))
        with self.assertRaises(RowpressError):
            self.client(server, retries=2).ingest.refresh("master/skus", [{}])
        self.assertEqual(len(server.requests), 4)

    def test_responses_of_a_proxy(self) -> None:
        server = self.serve(Response(502, b"<html>"), Response(200, b'{"job_id"', (("Content-Type", "application/json"),)), Response(200, JOB))
        self.assertEqual(self.create(self.client(server)), JOB)
        server = self.serve(Response(403, b"<html>"))
        with self.assertRaises(RowpressError) as raised:
            self.create(self.client(server))
        self.assertEqual((raised.exception.code, raised.exception.retry), ("HTTP_403", "no"))

    def test_an_address_that_is_not_a_server(self) -> None:
        server = self.serve(Response(308, b"", (("Location", "https://example.com/v1"),)))
        with self.assertRaises(RowpressError) as raised:
            self.create(self.client(server))
        self.assertEqual((raised.exception.code, len(server.requests)), ("HTTP_308", 1))
        self.assertIn("https://example.com/v1", raised.exception.message)
        with self.assertRaises(RowpressError) as raised:
            self.client(self.serve(Response(200, b"<html>"))).bulkfill.get("x")
        self.assertEqual((raised.exception.code, raised.exception.retry), ("RESPONSE_INVALID", "no"))

    def test_a_response_that_is_cut(self) -> None:
        server = self.serve(Response(200, JOB, missing=5), Response(200, JOB))
        self.assertEqual(self.client(server).bulkfill.get("x"), JOB)

    def test_the_timeout_applies_to_each_attempt(self) -> None:
        server = self.serve(STALL, STALL, Response(200, JOB))
        started = time.monotonic()
        self.assertEqual(self.client(server, timeout=0.3).bulkfill.get("x"), JOB)
        self.assertLess(time.monotonic() - started, 5)
        server = self.serve(STALL)
        with self.assertRaises(RowpressError) as raised:
            self.client(server, timeout=0.1, retries=1).bulkfill.get("x")
        self.assertEqual((raised.exception.code, raised.exception.retry), ("TIMEOUT", "same-key"))

    def test_a_request_without_a_key_is_not_repeated(self) -> None:
        server = self.serve(CUT)
        with self.assertRaises(RowpressError) as raised:
            self.client(server).subscribers.webhooks.rotate_secret("w")
        self.assertEqual((raised.exception.retry, len(server.requests)), ("no", 1))

    def test_a_delete_whose_response_was_lost(self) -> None:
        gone = Response(404, {"error": {"type": "not_found", "code": "resource_not_found", "message": "Gone."}})
        server = self.serve(CUT, gone)
        self.client(server).subscribers.tags.delete("t")
        with self.assertRaises(RowpressError) as raised:
            self.client(server).subscribers.tags.delete("t")
        self.assertEqual((raised.exception.code, raised.exception.retry), ("resource_not_found", "no"))

    def test_an_idle_connection_that_the_server_closed(self) -> None:
        server = self.serve(Response(200, JOB), CUT, Response(200, JOB))
        client = self.client(server)
        client.bulkfill.get("x")
        client.bulkfill.get("x")
        self.assertEqual((len(server.requests), self.slept), (3, []))


class Errors(ScriptedCase):
    def test_all_dialects(self) -> None:
        subscribers = Response(
            403,
            {"error": {"type": "permission_error", "code": "insufficient_scope", "message": "No.", "missing_scopes": ["a"]}},
            (("x-mailrith-request-id", "req_1"),),
        )
        with self.assertRaises(RowpressError) as raised:
            next(self.client(self.serve(subscribers)).subscribers.list())
        error = raised.exception
        self.assertEqual((error.code, error.request_id), ("insufficient_scope", "req_1"))
        self.assertEqual(error.details["missing_scopes"], ["a"])
        problem = {"type": "https://x/errors#cross-warehouse-credential", "title": "T", "status": 403, "detail": "D.", "trace_id": "abc"}
        ingest = self.serve(Response(403, problem))
        with self.assertRaises(RowpressError) as raised:
            self.client(ingest).ingest.item("master/skus", "a/b ?")
        error = raised.exception
        self.assertEqual((error.code, error.message, error.request_id), ("cross-warehouse-credential", "D.", "abc"))
        self.assertEqual(ingest.requests[0].path, "/wms-ingest/v1/master/skus/a%2Fb%20%3F")
        self.assertIn("cross-warehouse-credential", str(error))
