from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import Any, Dict, List

from rowpress import RowpressError

from .scripted_case import JOB, ScriptedCase
from .scripted_server import CUT, Response, parts_of

IMPORT = {"data": {"id": "i", "status": "Completed"}}
EMAIL = [{"csv_column": "Email", "field": "email"}]


class Sources(ScriptedCase):
    def test_paths_bytes_and_callables_send_the_same_bytes(self) -> None:
        content = bytes(range(256)) * 2000
        path = self.folder / 'a "b".pdf'
        path.write_bytes(content)
        for source, declared in (
            (str(path), True),
            (path, True),
            (content, True),
            (bytearray(content), True),
            (lambda: io.BytesIO(content), False),
        ):
            server = self.serve(CUT, Response(200, JOB))
            self.client(server).bulkfill.create(pdf=source, package=b"PK", csv=b"a,b\n")
            for request in server.requests:
                parts = parts_of(request)
                self.assertEqual(parts["pdf"], content)
                self.assertEqual(parts["doqlo_file"], b"PK")
                self.assertEqual(parts["csv_file"], b"a,b\n")
                self.assertEqual("content-length" in request.headers, declared)

    def test_options_become_form_fields(self) -> None:
        server = self.serve(Response(200, JOB))
        self.client(server).bulkfill.create(
            pdf=b"1",
            package=b"2",
            rows=({"column_0": value} for value in (1, "ü", None, Decimal("1.50"), True, "\ud800")),
            max_failed_row_percent=5,
            flatten_forms=True,
            include_stickers=False,
            filename_columns=["column_0", "ü"],
            password_column="Date of birth",
            verify_column="Verify",
            sign_manifest=True,
            webhook_url="https://example.com/hook",
            webhook_secret="s",
            sheet={"preset": "avery-l7160", "skip": 3},
            duplex=True,
            options={"later": {"member": 1}},
            wait_seconds=0,
        )
        (request,) = server.requests
        parts = parts_of(request)
        rows = parts.pop("rows_json").decode("utf-8")
        self.assertEqual(
            [row["column_0"] for row in json.loads(rows)], [1, "ü", None, "1.50", True, "\ud800"]
        )
        self.assertEqual(request.headers["prefer"], "wait=0")
        self.assertEqual(
            {name: value.decode("utf-8") for name, value in parts.items()},
            {
                "pdf": "1",
                "doqlo_file": "2",
                "max_failed_row_percent": "5",
                "flatten_forms": "true",
                "include_stickers": "false",
                "filename_columns": '["column_0", "ü"]',
                "password_column": "Date of birth",
                "verify_column": "Verify",
                "sign_manifest": "true",
                "delivery_mode": "webhook",
                "webhook_url": "https://example.com/hook",
                "webhook_secret": "s",
                "sheet": '{"preset": "avery-l7160", "skip": 3}',
                "duplex": "true",
                "later": '{"member": 1}',
            },
        )

    def test_an_error_of_the_source_reaches_the_caller(self) -> None:
        class Broken(io.BytesIO):
            def read(self, size: Any = -1) -> bytes:
                raise ConnectionResetError("the disk is gone")

        server = self.serve(CUT)
        for source, kind in ((Broken, ConnectionResetError), (lambda: io.StringIO("x"), TypeError)):
            with self.assertRaises(kind):
                self.client(server).bulkfill.create(pdf=source, package=b"x", csv=b"x")  # type: ignore[arg-type]
        with self.assertRaises(FileNotFoundError):
            self.client(server).bulkfill.create(pdf=self.folder / "none", package=b"x", csv=b"x")
        with self.assertRaises(TypeError):
            self.client(server).bulkfill.create(pdf=3, package=b"x", csv=b"x")  # type: ignore[arg-type]
        self.assertEqual(self.slept, [])

    def test_a_file_that_changes_while_it_is_sent(self) -> None:
        path = self.folder / "f.pdf"
        path.write_bytes(b"x" * 1000)
        server = self.serve(CUT)

        def shorten(_: Dict[str, Any]) -> None:
            path.write_bytes(b"x")

        client = self.client(server)
        with self.assertRaisesRegex(OSError, "f.pdf changed"):
            client.bulkfill.create(
                pdf=lambda: io.BytesIO(b"y" * 200_000), package=path, csv=b"x", on_progress=shorten
            )

    def test_a_rejection_before_the_whole_body_was_sent(self) -> None:
        too_large = Response(413, {"code": "PDF_TOO_LARGE", "message": "Too large."}, early=True)
        server = self.serve(too_large)
        with self.assertRaises(RowpressError) as raised:
            self.client(server).bulkfill.create(pdf=b"x" * 30_000_000, package=b"x", csv=b"x")
        self.assertEqual((raised.exception.code, len(server.requests)), ("PDF_TOO_LARGE", 1))

    def test_progress(self) -> None:
        server = self.serve(Response(200, JOB))
        seen: List[Dict[str, Any]] = []
        self.client(server).bulkfill.create(pdf=b"x" * 300_000, package=b"x", csv=b"x", on_progress=seen.append)
        sizes = [each["bytes"] for each in seen]
        self.assertGreater(len(sizes), 2)
        self.assertEqual(sizes, sorted(sizes))
        self.assertEqual({each["phase"] for each in seen}, {"upload"})
        self.assertEqual(sizes[-1], seen[-1]["total_bytes"])


class Imports(ScriptedCase):
    def test_a_utf8_file_is_sent_with_the_request(self) -> None:
        text = 'Email,Name\r\na@b.co,"Zoë ""Q""\t\u2028"\r\n' + "x@y.co,ü\n" * 20_000
        for source in (text.encode("utf-8"), lambda: io.BytesIO(text.encode("utf-8"))):
            server = self.serve(CUT, Response(202, IMPORT))
            self.client(server).subscribers.create_import(file=source, mappings=EMAIL, new_tag_name="t")
            bodies = [json.loads(request.body) for request in server.requests]
            self.assertEqual(bodies[0], bodies[1])
            mapping = {"csv_column": "Email", "field": {"type": "email"}}
            self.assertEqual(bodies[1], {"csv_text": text, "mappings": [mapping], "new_tag_name": "t"})

    def test_other_files_are_uploaded_first(self) -> None:
        for content in ("Email\nü@b.co\n".encode("utf-16"), "Email\nü@b.co\n".encode("latin-1"), b"PK\x03\x04zip"):
            server = self.serve(CUT)
            upload = {"data": {"id": "u", "upload_url": f"{server.url}/v1/uploads/token", "status": "Ready"}}
            server._steps = (Response(201, upload), CUT, Response(200, upload), Response(200, upload), Response(202, IMPORT))
            self.client(server).subscribers.create_import(file=content, mappings=EMAIL, idempotency_key="k")
            methods = [(request.method, request.path) for request in server.requests]
            self.assertEqual(methods[1:3], [("PUT", "/v1/uploads/token")] * 2)
            self.assertEqual(server.requests[2].body, content)
            self.assertNotIn("authorization", server.requests[2].headers)
            self.assertEqual(json.loads(server.requests[4].body)["upload_id"], "u")
            self.assertEqual(server.requests[4].headers["idempotency-key"], "k")

    def test_exactly_one_input(self) -> None:
        with self.assertRaises(ValueError):
            self.client(self.serve(CUT)).subscribers.create_import(mappings=EMAIL)


class Items(ScriptedCase):
    ITEMS = [{"source_id": "a", "name": "ü"}, {"source_id": "b"}]
    LINES = b'{"source_id":"a","name":"\xc3\xbc"}\n{"source_id":"b"}\n'

    def test_items_are_read_once_and_sent_as_lines(self) -> None:
        path = self.folder / "items.ndjson"
        path.write_bytes(self.LINES)
        for items in (self.ITEMS, iter(self.ITEMS), path, self.LINES, lambda: io.BytesIO(self.LINES)):
            server = self.serve(CUT, Response(202, {"job_id": "j", "status_url": "/x", "accepted_items": 2}))
            self.client(server).ingest.bulk("master/skus", items)
            self.assertEqual([request.body for request in server.requests], [self.LINES] * 2)
            self.assertEqual(server.requests[1].path, "/wms-ingest/v1/master/skus?mode=bulk")
            self.assertEqual(server.requests[1].headers["content-type"], "application/x-ndjson")

    def test_upsert_and_refresh_send_a_document(self) -> None:
        server = self.serve(Response(200, {"results": [], "summary": {}}))
        client = self.client(server)
        client.ingest.upsert("master/skus", iter(self.ITEMS), validate_only=True)
        client.ingest.refresh_and_wait("master/skus", iter([]), confirm_empty=True)
        first, second = server.requests
        self.assertEqual(json.loads(first.body), {"items": self.ITEMS})
        self.assertEqual(first.path, "/wms-ingest/v1/master/skus?validate_only=true")
        self.assertEqual(json.loads(second.body), {"items": []})
        self.assertEqual(second.path, "/wms-ingest/v1/master/skus?mode=full-refresh&confirm=empty")
        with self.assertRaises(ValueError):
            client.ingest.upsert("skus", [])
