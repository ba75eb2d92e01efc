from __future__ import annotations

import json

from rowpress import RowpressError

from .scripted_case import JOB, ScriptedCase
from .scripted_server import CUT, Response, parts_of

PROJECT = {"project_id": "p", "name": "Invoice", "version": 1}


class Projects(ScriptedCase):
    def test_create_and_use(self) -> None:
        server = self.serve(CUT, Response(201, PROJECT), Response(200, JOB))
        client = self.client(server)
        layout = {"format": "rowpress.layout", "columns": [{"label": "Größe"}]}
        self.assertEqual(client.bulkfill.projects.create(name="Invoice", pdf=b"%PDF", layout=layout), PROJECT)
        client.bulkfill.create_and_wait(project="Invoice@1", rows=[{"Name": "a"}], match_columns="label")
        first, second, job = server.requests
        self.assertEqual(first.headers["idempotency-key"], second.headers["idempotency-key"])
        parts = parts_of(second)
        self.assertEqual((parts["name"], parts["pdf"], json.loads(parts["layout"])), (b"Invoice", b"%PDF", layout))
        self.assertEqual(parts_of(job)["project"], b"Invoice@1")
        self.assertFalse({"pdf", "doqlo_file"} & set(parts_of(job)))

    def test_an_update_is_repeated_only_with_a_version(self) -> None:
        server = self.serve(CUT)
        with self.assertRaises(RowpressError) as raised:
            self.client(server).bulkfill.projects.update("p", package=b"PK")
        self.assertEqual((raised.exception.retry, len(server.requests)), ("no", 1))
        server = self.serve(CUT, Response(200, {**PROJECT, "version": 4}))
        self.assertEqual(self.client(server).bulkfill.projects.update("p", if_version=3, pdf=b"1")["version"], 4)
        self.assertEqual([request.headers["if-match"] for request in server.requests], ['"3"'] * 2)
        server = self.serve(CUT, Response(412, {"code": "PRECONDITION_FAILED", "message": "x"}))
        with self.assertRaises(RowpressError) as raised:
            self.client(server).bulkfill.projects.update("p", if_version=3, pdf=b"1")
        self.assertEqual(raised.exception.code, "PRECONDITION_FAILED")

    def test_reads(self) -> None:
        server = self.serve(Response(200, {"data": [PROJECT], "next_cursor": None}))
        client = self.client(server)
        self.assertEqual(list(client.bulkfill.projects.list(limit=5)), [PROJECT])
        self.assertEqual(list(client.bulkfill.projects.versions("p")), [PROJECT])
        self.assertEqual([r.path for r in server.requests], ["/v1/bulkfill/projects?limit=5", "/v1/bulkfill/projects/p/versions"])
        server = self.serve(Response(200, PROJECT), Response(200, b"a,b\n"), Response(200, b"\x89PNG"), CUT, Response(404, {"code": "PROJECT_NOT_FOUND", "message": "x"}))
        projects = self.client(server).bulkfill.projects
        self.assertEqual(projects.get("p", version=2), PROJECT)
        self.assertEqual(projects.sample_csv("p"), "a,b\n")
        self.assertEqual(projects.page_png("p", page=2, width=99), b"\x89PNG")
        projects.delete("p")
        self.assertEqual(server.requests[0].path, "/v1/bulkfill/projects/p?version=2")
        self.assertEqual(server.requests[2].path, "/v1/bulkfill/projects/p/page.png?page=2&width=99")
