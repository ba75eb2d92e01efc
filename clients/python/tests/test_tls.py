from __future__ import annotations

import os
import ssl

from rowpress import Rowpress, RowpressError

from .scripted_case import JOB, ScriptedCase
from .scripted_server import CUT, Response, ScriptedServer, parts_of

#: A certificate of localhost, its key and its authority (test/python/client.test.ts).
FOLDER = os.environ["ROWPRESS_TEST_TLS"]


class Tls(ScriptedCase):
    def secure(self, *steps: "Response | str") -> ScriptedServer:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(FOLDER, "cert.pem"), os.path.join(FOLDER, "key.pem"))
        server = ScriptedServer(*steps, tls=context)
        self.addCleanup(server.__exit__)
        return server

    def test_uploads_and_retries(self) -> None:
        trusted = ssl.create_default_context(cafile=os.path.join(FOLDER, "ca.pem"))
        server = self.secure(CUT, Response(200, JOB), CUT, Response(200, JOB))
        client = self.client(server, ssl_context=trusted)
        content = os.urandom(3_000_000)
        for _ in range(2):
            client.bulkfill.create(pdf=content, package=b"x", csv=b"x")
        self.assertEqual([parts_of(request)["pdf"] == content for request in server.requests], [True] * 4)

    def test_a_certificate_that_is_not_trusted(self) -> None:
        server = self.secure(Response(200, JOB))
        client = Rowpress(server.url, "k")
        client._transport.sleep = self.slept.append
        with self.assertRaises(RowpressError) as raised:
            client.bulkfill.get("x")
        self.assertEqual((raised.exception.code, raised.exception.retry), ("CONNECTION_FAILED", "no"))
        self.assertIn("certificate", raised.exception.message)
        self.assertEqual((server.requests, self.slept), ([], []))
