"""The client against a real server."""

from __future__ import annotations

import os
import tempfile
import unittest
import zipfile
from pathlib import Path
from typing import Any, Dict, List

from rowpress import Rowpress, RowpressError

URL = os.environ["ROWPRESS_TEST_URL"]
PDF, PACKAGE = os.environ["ROWPRESS_TEST_PDF"], os.environ["ROWPRESS_TEST_PACKAGE"]
MAPPINGS = [{"csv_column": "Email", "field": "email"}, {"csv_column": "Name", "field": {"type": "name"}}]


def client(surface: str) -> Rowpress:
    return Rowpress(URL, os.environ[f"ROWPRESS_TEST_KEY_{surface.upper()}"])


class ServerCase(unittest.TestCase):
    surface = ""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rp = client(self.surface)
        self.addCleanup(self.rp.close)


class Bulkfill(ServerCase):
    surface = "bulkfill"

    def test_fill_find_the_failed_row_retry_and_download(self) -> None:
        rows: List[Dict[str, Any]] = [{"column_0": f"Name {number}"} for number in range(300)]
        rows[6]["column_0"] = ["not text"]
        seen: List[Dict[str, Any]] = []
        failed = self.rp.bulkfill.create_and_wait(pdf=PDF, package=PACKAGE, rows=rows)
        self.assertEqual((failed["status"], failed["error"]["code"]), ("failed", "FAILED_ROW_THRESHOLD_EXCEEDED"))
        job = self.rp.bulkfill.create_and_wait(
            pdf=PDF, package=PACKAGE, rows=rows, max_failed_row_percent=50, wait_seconds=0, on_progress=seen.append
        )
        self.assertEqual(job["status"], "completed")
        self.assertIn("job", [each["phase"] for each in seen])
        (problem,) = self.rp.bulkfill.problem_rows(job["job_id"], status="failed")
        self.assertEqual((problem["row_number"], problem["code"]), (7, "ROW_VALUE_INVALID"))
        self.rp.bulkfill.download(job["job_id"], self.folder / "out.zip")
        with zipfile.ZipFile(self.folder / "out.zip") as archive:
            self.assertEqual(len(archive.namelist()), 300)
        with self.rp.bulkfill.stream(job["job_id"]) as stream:
            self.assertEqual(stream.read(), (self.folder / "out.zip").read_bytes())
        fixed = [{"row_number": 7, "cells": {"column_0": "Name 6"}}]
        again = self.rp.bulkfill.retry_and_wait(job["job_id"], rows=fixed, max_failed_row_percent=0)
        manifest = self.rp.bulkfill.manifest(again["job_id"])
        self.assertEqual([row["source_row_number"] for row in manifest["row_results"]], [7])
        self.assertTrue(self.rp.bulkfill.row_pdf(again["job_id"], 1).startswith(b"%PDF"))
        self.assertTrue(self.rp.bulkfill.row_png(again["job_id"], 1, width=100).startswith(b"\x89PNG"))
        ids = [each["job_id"] for each in self.rp.bulkfill.list(limit=1)]
        self.assertEqual(ids[:3], [again["job_id"], job["job_id"], failed["job_id"]])

    def test_the_same_key_returns_the_same_job(self) -> None:
        def create(value: str) -> Any:
            return self.rp.bulkfill.create_and_wait(
                pdf=PDF, package=PACKAGE, rows=[{"column_0": value}], idempotency_key="order-1"
            )

        first = create("a")
        self.assertEqual(create("a")["job_id"], first["job_id"])
        self.assertEqual(self.rp.bulkfill.idempotency_key("order-1")["job_id"], first["job_id"])
        with self.assertRaises(RowpressError) as raised:
            create("b")
        error = raised.exception
        self.assertEqual((error.code, error.retry), ("IDEMPOTENCY_KEY_PAYLOAD_MISMATCH", "new-key"))
        self.assertEqual(error.details, {"differs_in": ["rows"]})

    def test_cancel(self) -> None:
        job = self.rp.bulkfill.create_and_wait(pdf=PDF, package=PACKAGE, rows=[{"column_0": "gone"}])
        self.assertEqual(self.rp.bulkfill.cancel(job["job_id"])["status"], "completed")
        with self.assertRaises(RowpressError) as raised:
            self.rp.bulkfill.download(job["job_id"], self.folder / "out.zip")
        self.assertEqual(raised.exception.code, "EXPORT_DELIVERY_NOT_FOUND")
        self.assertEqual(os.listdir(self.folder), [])


class Subscribers(ServerCase):
    surface = "subscribers"

    def test_import_and_export(self) -> None:
        people = self.rp.subscribers
        text = "Email,Name\nada@example.com,Ada\nnobody,X\nbob@example.com,Bob\n"
        done = people.import_and_wait(csv_text=text, mappings=MAPPINGS, idempotency_key="list-1")
        self.assertEqual((done["status"], done["imported_count"], done["failed_count"]), ("Completed", 2, 1))
        (row,) = people.failed_rows(done["id"])
        self.assertEqual((row["line"], row["code"], row["Name"]), ("3", "email_invalid", "X"))
        people.download_failed_rows(done["id"], self.folder / "failed.csv")
        self.assertIn("nobody", (self.folder / "failed.csv").read_text("utf-8"))
        path = self.folder / "list.csv"
        path.write_text(text, "utf-8")
        again = people.import_and_wait(file=path, mappings=MAPPINGS, idempotency_key="list-1")
        self.assertEqual(again["id"], done["id"], "a file and a text with equal content are the same payload")
        path.write_text("Email,Name\nzoë@example.com,Zoë\n", "utf-16")
        self.assertEqual(people.import_and_wait(file=path, mappings=MAPPINGS)["created_count"], 1)
        job = people.export_and_wait(path=self.folder / "export.csv", query="ada")
        self.assertEqual(job["exported_count"], 1)
        self.assertIn("ada@example.com,Ada", (self.folder / "export.csv").read_text("utf-8"))
        self.assertEqual([each["id"] for each in people.imports(limit=1)][-1], done["id"])
        self.assertEqual(next(people.exports())["id"], job["id"])

    def test_resources(self) -> None:
        people = self.rp.subscribers
        tag = people.tags.create(name="vip")
        field = people.custom_fields.create(label="City", type="Text")
        person = people.upsert("eve@example.com", name="Eve", custom_fields={field["id"]: "Bern"}, idempotency_key="e")
        self.assertEqual(people.upsert("eve@example.com", name="Eve", custom_fields={field["id"]: "Bern"}, idempotency_key="e"), person)
        people.add_tag(person["id"], tag["id"])
        self.assertEqual([each["email"] for each in people.list(tag_id=tag["id"])], ["eve@example.com"])
        people.remove_tag(person["id"], tag["id"])
        self.assertEqual(people.update(person["id"], name="Eva")["name"], "Eva")
        self.assertEqual(people.set_status(person["id"], "Unsubscribed")["status"], "Unsubscribed")
        self.assertEqual(people.tags.update(tag["id"], name="VIP")["name"], "VIP")
        hook = people.webhooks.create(name="h", url="https://example.com/h", event_patterns=["*"])
        rotated = people.webhooks.rotate_secret(hook["subscription"]["id"])
        self.assertNotEqual(rotated["signing_secret"], hook["signing_secret"])
        people.webhooks.delete(hook["subscription"]["id"])
        for resource, made in ((people.tags, tag), (people, person), (people.custom_fields, field)):
            resource.delete(made["id"])
            with self.assertRaises(RowpressError) as raised:
                resource.get(made["id"])
            self.assertEqual(raised.exception.code, "resource_not_found")
        self.assertIn("id", people.workspace())
        self.assertIn("resources", people.capabilities())


class Ingest(ServerCase):
    surface = "ingest"

    def test_upsert_bulk_and_quarantine(self) -> None:
        ingest = self.rp.ingest
        ingest.upsert("master/uoms", [{"source_id": "EA", "name": "Each"}])
        item = {"source_id": "a/b ?#%", "name": "ü", "base_uom": "EA", "source_version": 1}
        correlation = "6f1c1f6e-0d5c-4a3e-9a53-0c6d8f0a7b11"
        first = ingest.upsert("master/skus", [item], correlation_id=correlation)
        self.assertEqual(first["summary"]["accepted"], 1)
        self.assertEqual(ingest.upsert("master/skus", [item], correlation_id=correlation), first)
        self.assertEqual(ingest.request(correlation)["response"], first)
        self.assertEqual(ingest.upsert("master/skus", [item])["summary"]["replay"], 1)
        stored = ingest.item("master/skus", item["source_id"])
        self.assertEqual(stored["item"]["name"], "ü")
        self.assertEqual(ingest.mapping("master/skus", item["source_id"])["internal_id"], stored["internal_id"])
        self.assertEqual(ingest.mapping_by_internal_id(stored["internal_id"])["source_id"], item["source_id"])
        self.assertEqual([each["change"] for each in ingest.history("master/skus", item["source_id"])], ["CREATED"])
        items = ({"source_id": f"s{number}", "name": "n", "base_uom": "EA" if number else "KG"} for number in range(6000))
        load = ingest.bulk_and_wait("master/skus", items)
        self.assertEqual((load["status"], load["summary"]["accepted"], load["summary"]["quarantined"]), ("COMPLETED", 5999, 1))
        self.assertEqual(sum(1 for _ in ingest.results(load["job_id"], limit=1000)), 6000)
        many = [{"source_id": f"s{number}", "name": "n", "base_uom": "EA"} for number in range(5001)]
        answer = ingest.upsert("master/skus", many)
        self.assertEqual((answer["summary"]["accepted"], answer["results"][5000]["source_id"]), (5001, "s5000"))
        ingest.upsert("master/skus", [{"source_id": "q", "name": "n", "base_uom": "KG"}])
        (record,) = ingest.quarantine.list(status="OPEN")
        ingest.upsert("master/uoms", [{"source_id": "KG", "name": "Kilo"}])
        self.assertEqual(ingest.quarantine.redrive()["accepted"], 1)
        self.assertEqual(ingest.quarantine.get(record["quarantine_id"])["status"], "ACCEPTED")
        with self.assertRaises(RowpressError) as raised:
            ingest.quarantine.release(record["quarantine_id"])
        self.assertEqual(raised.exception.code, "state-conflict")
        refresh = ingest.refresh_and_wait("master/lots", [], confirm_empty=True)
        self.assertEqual(refresh["tombstoned"], 0)
        hook = ingest.webhooks.create("https://example.com/h", events=["ingest.job.completed"])
        self.assertIn("secret", ingest.webhooks.secret(hook["webhook_id"]))
        ingest.webhooks.rotate_secret(hook["webhook_id"])
        ingest.webhooks.remove(hook["webhook_id"])
        self.assertEqual(list(ingest.webhooks.list()), [])
        self.assertIn("master/skus", [each if isinstance(each, str) else each["name"] for each in ingest.capabilities()["collections"]])


class Threads(unittest.TestCase):
    def test_one_client_in_many_threads(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        with client("ingest") as rp, ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda _: rp.ingest.capabilities()["bulk_async_threshold"], range(64)))
        self.assertEqual(set(found), {5000})
