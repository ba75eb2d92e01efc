"""A test case with a client of a scripted server that does not sleep."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any, List

from rowpress import Rowpress

from .scripted_server import ScriptedServer, Step

JOB = {"job_id": "11111111-1111-4111-8111-111111111111", "status": "completed", "created_at": "2026-01-01T00:00:00.000Z", "result": {}}


class ScriptedCase(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.slept: List[float] = []

    def serve(self, *steps: Step) -> ScriptedServer:
        server = ScriptedServer(*steps)
        self.addCleanup(server.__exit__)
        return server

    def client(self, server: ScriptedServer, path: str = "", key: str = "doqlo_bfexp_a.b", **options: Any) -> Rowpress:
        client = Rowpress(server.url + path, key, **{"timeout": 5, **options})
        client._transport.sleep = self.slept.append
        self.addCleanup(client.close)
        return client
