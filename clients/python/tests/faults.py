"""500 logical calls per surface through a faulty network; then counts what the server has stored.

    python3 -m tests.faults run      through ROWPRESS_TEST_PROXY; prints "done N" as calls end, then their results as JSON
    python3 -m tests.faults check    reads those results from standard input, compares them with the server, prints a table
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import sys
import tempfile
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List

from rowpress import Rowpress

CALLS = int(os.environ.get("ROWPRESS_TEST_CALLS", "500"))
PDF, PACKAGE = os.environ["ROWPRESS_TEST_PDF"], os.environ["ROWPRESS_TEST_PACKAGE"]
MAPPINGS = [{"csv_column": "Email", "field": "email"}, {"csv_column": "Name", "field": "name"}]
THREADS = 6


def connect(url: str, surface: str) -> Rowpress:
    # More retries than by default: a killed server takes a while to return on a busy machine.
    return Rowpress(url, os.environ[f"ROWPRESS_TEST_KEY_{surface.upper()}"], retries=14, timeout=4)


def row(number: int) -> Dict[str, str]:
    return {"column_0": f"Person {number}", "column_1": f"P-{number}"}


def fill(rp: Rowpress, number: int) -> Any:
    """Creates a job, waits for it and downloads its ZIP."""
    job = rp.bulkfill.create_and_wait(pdf=PDF, package=PACKAGE, rows=[row(number)])
    with tempfile.TemporaryDirectory() as folder:
        path = rp.bulkfill.download(job["job_id"], os.path.join(folder, "out.zip"))
        with zipfile.ZipFile(path) as archive:
            pdf = archive.read(archive.namelist()[0])
    return {"id": job["job_id"], "status": job["status"], "sha256": hashlib.sha256(pdf).hexdigest()}


def subscribe(rp: Rowpress, number: int) -> Any:
    """Seven of ten calls add one person and fail if they exist; two import three people; one exports one person."""
    people = rp.subscribers
    if number % 10 < 7:
        person = people.upsert(f"p{number}@example.com", name=f"Person {number}", create_only=True)
        return {"kind": "person", "id": person["id"], "value": [person["email"], person["name"]]}
    if number % 10 < 9:
        lines = "".join(f"i{number}-{line}@example.com,Import {number}\n" for line in range(3))
        job = people.import_and_wait(csv_text=f"Email,Name\n{lines}", mappings=MAPPINGS)
        return {"kind": "import", "id": job["id"], "value": [job["status"], job["created_count"], job["failed_count"]]}
    job = people.export_and_wait(query="nobody@example.com")
    with people.stream_export(job["id"]) as stream:
        rows = list(csv.reader(io.TextIOWrapper(stream, encoding="utf-8")))
    return {"kind": "export", "id": job["id"], "value": [job["status"], job["exported_count"], rows[0][0], len(rows)]}


def push(rp: Rowpress, number: int) -> Any:
    """Nine of ten calls upsert one item without a version, so that a second application would show in its history."""
    if number % 10 < 9:
        answer = rp.ingest.upsert("master/uoms", [{"source_id": f"u{number}", "name": f"Unit {number}"}])
        return {"kind": "upsert", "id": answer["results"][0]["internal_id"], "value": answer["summary"]}
    items = ({"source_id": f"b{number}-{line}", "name": f"Unit {line}"} for line in range(20))
    load = rp.ingest.bulk_and_wait("master/uoms", items)
    return {"kind": "bulk", "id": load["job_id"], "value": load["summary"]}


SURFACES: Dict[str, Callable[[Rowpress, int], Any]] = {"bulkfill": fill, "subscribers": subscribe, "ingest": push}


def run() -> None:
    done = 0
    lock = threading.Lock()

    def call(surface: str, rp: Rowpress, number: int) -> Any:
        nonlocal done
        try:
            return SURFACES[surface](rp, number)
        finally:
            with lock:
                done += 1
                print(f"done {done}", flush=True)

    results: Dict[str, List[Any]] = {}

    def surface_calls(surface: str) -> None:
        with connect(os.environ["ROWPRESS_TEST_PROXY"], surface) as rp, ThreadPoolExecutor(THREADS) as threads:
            results[surface] = list(threads.map(lambda number: call(surface, rp, number), range(CALLS)))

    with ThreadPoolExecutor(len(SURFACES)) as surfaces:
        list(surfaces.map(surface_calls, SURFACES))
    print(json.dumps(results), flush=True)


def check() -> None:
    results = json.load(sys.stdin)
    url = os.environ["ROWPRESS_TEST_URL"]
    table = {
        surface: {"calls": len(results[surface]), **judge(connect(url, surface), results[surface])}
        for surface, judge in (("bulkfill", check_bulkfill), ("subscribers", check_subscribers), ("ingest", check_ingest))
    }
    print(json.dumps(table), flush=True)


def counted(stored: List[str], returned: List[str], unequal: int) -> Dict[str, int]:
    return {
        "duplicates": len(stored) - len(set(stored) & set(returned)),
        "lost": len(set(returned) - set(stored)) + len(returned) - len(set(returned)),
        "unequal": unequal,
    }


def check_bulkfill(rp: Rowpress, calls: List[Any]) -> Dict[str, int]:
    stored = [job["job_id"] for job in rp.bulkfill.list(limit=100)]
    with connect(os.environ["ROWPRESS_TEST_URL"], "reference") as other:
        job = other.bulkfill.create_and_wait(pdf=PDF, package=PACKAGE, rows=[row(n) for n in range(len(calls))])
        rows = other.bulkfill.manifest(job["job_id"])["row_results"]
    unequal = sum(call["sha256"] != want["sha256"] or call["status"] != "completed" for call, want in zip(calls, rows))
    return counted(stored, [call["id"] for call in calls], unequal)


def check_subscribers(rp: Rowpress, calls: List[Any]) -> Dict[str, int]:
    people = rp.subscribers
    everyone = list(people.list(limit=100))
    stored = [job["id"] for job in people.imports(limit=100)] + [job["id"] for job in people.exports(limit=100)]
    stored += [person["id"] for person in everyone if person["email"].startswith("p")]
    wanted = {f"i{n}-{line}@example.com" for n, call in enumerate(calls) if call["kind"] == "import" for line in range(3)}
    unequal = len(wanted ^ {person["email"] for person in everyone if person["email"].startswith("i")})
    for number, call in enumerate(calls):
        expected = {
            "person": [f"p{number}@example.com", f"Person {number}"],
            "import": ["Completed", 3, 0],
            "export": ["Completed", 0, "email", 1],
        }[call["kind"]]
        unequal += call["value"] != expected
    return counted(stored, [call["id"] for call in calls], unequal)


def check_ingest(rp: Rowpress, calls: List[Any]) -> Dict[str, int]:
    def entries(number: int) -> List[int]:
        bulk = calls[number]["kind"] == "bulk"
        ids = [f"b{number}-{line}" for line in range(20)] if bulk else [f"u{number}"]
        return [len(list(rp.ingest.history("master/uoms", each))) for each in ids]

    with ThreadPoolExecutor(THREADS) as threads:
        histories = list(threads.map(entries, range(len(calls))))
    unequal = sum(
        call["value"] != {"accepted": 20 if call["kind"] == "bulk" else 1, "replay": 0, "quarantined": 0, "rejected": 0}
        for call in calls
    )
    return {
        "duplicates": sum(count > 1 for each in histories for count in each),
        "lost": sum(count == 0 for each in histories for count in each),
        "unequal": unequal,
    }


if __name__ == "__main__":
    {"run": run, "check": check}[sys.argv[1]]()
