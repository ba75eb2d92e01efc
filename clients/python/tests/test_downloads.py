from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from typing import Any, Dict, List, Optional

from rowpress import RowpressError

from .scripted_case import ScriptedCase
from .scripted_server import CUT, Response, ScriptedServer, ranged


def archive(damage: bool = False, extra: bool = False, merged: Optional[bytes] = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        rows = []
        for number in range(1, 4):
            content = os.urandom(50_000)
            file.writestr(f"row_{number}.pdf", content)
            digest = hashlib.sha256(b"other" if damage and number == 2 else content).hexdigest()
            rows.append({"row_number": number, "file_name": f"row_{number}.pdf", "sha256": digest})
        if extra:
            file.writestr("row_9.pdf", b"x")
        manifest: Dict[str, Any] = {"version": 2, "row_results": rows}
        if merged is not None:
            file.writestr("merged.pdf", b"all rows")
            manifest["merged"] = {"file_name": "merged.pdf", "sha256": hashlib.sha256(merged).hexdigest()}
        file.writestr("manifest.json", json.dumps(manifest))
    return buffer.getvalue()


def with_second_name() -> bytes:
    """A ZIP whose PDF has another name for readers that prefer the Info-ZIP field with a name in UTF-8."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        entry = zipfile.ZipInfo("row_1.pdf")
        second = struct.pack("<BL", 1, zlib.crc32(b"row_1.pdf")) + b"row_2.pdf"
        entry.extra = struct.pack("<HHB", 0xCAFE, 1, 0) + struct.pack("<HH", 0x7075, len(second)) + second
        file.writestr(entry, b"pdf")
        rows = [{"row_number": 1, "file_name": "row_1.pdf", "sha256": hashlib.sha256(b"pdf").hexdigest()}]
        file.writestr("manifest.json", json.dumps({"version": 2, "row_results": rows}))
    return buffer.getvalue()


def with_swapped_headers() -> bytes:
    """A ZIP whose first two PDFs have the name of the other in the headers before their bytes."""
    content = bytearray(archive())
    first, second = content.index(b"row_1.pdf"), content.index(b"row_2.pdf")
    content[first : first + 9], content[second : second + 9] = b"row_2.pdf", b"row_1.pdf"
    return bytes(content)


#: A manifest and its signature by the server's code with a seal key of 32 bytes 7.
MANIFEST = b'{"version": 2, "row_results": []}'
SEAL = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"
SIGNATURE = (
    '{"format":"rowpress.manifest-signature","version":1,"algorithm":"Ed25519","public_key":"' + SEAL + '",'
    '"manifest_sha256":"16f79b2c57adf2f0336d0f2776808c1b4c41660b38d8e8615b0ff7fdc82d24e6",'
    '"signature":"00a49572376ef6ce7bf8c3cd492d97f50411a12b1655c5d2a0ca8211232b518a'
    '1b6d17ef85a6c771c828cefc72551ae2bc2faa5de9c0accf714c7213f371910b"}'
).encode()


def signed(manifest: bytes = MANIFEST, signature: Optional[bytes] = SIGNATURE) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("manifest.json", manifest)
        if signature is not None:
            file.writestr("manifest.sig", signature)
    return buffer.getvalue()


class Downloads(ScriptedCase):
    def parts(self) -> List[str]:
        return sorted(name for name in os.listdir(self.folder) if name != "out.zip")

    def test_a_cut_download_is_resumed(self) -> None:
        content = archive()
        server = self.serve(ranged(content, '"t"', cuts=[100_000, 0, 20_000]))
        target = self.folder / "out.zip"
        seen: List[Dict[str, Any]] = []
        self.assertEqual(self.client(server).bulkfill.download("j", target, on_progress=seen.append), str(target))
        self.assertEqual(target.read_bytes(), content)
        ranges = [(r.headers.get("range"), r.headers.get("if-range")) for r in server.requests]
        self.assertEqual(ranges[0], (None, None))
        self.assertEqual(ranges[1:], [("bytes=100000-", '"t"')] * 2 + [("bytes=120000-", '"t"')])
        self.assertEqual(seen[-1], {"phase": "download", "bytes": len(content), "total_bytes": len(content)})
        self.assertEqual(self.parts(), [])

    def test_a_signed_manifest_is_accepted_from_its_key_alone(self) -> None:
        target = self.folder / "out.zip"
        server = self.serve(ranged(signed(), '"t"'))
        self.client(server).bulkfill.download("j", target, signed_by=["00" * 32, SEAL.upper()])
        self.assertEqual(target.read_bytes(), signed())
        target.unlink()
        for content, keys, reason in (
            (signed(), ["00" * 32], "another key"),
            (signed(signature=None), [SEAL], "not signed"),
            (signed(manifest=MANIFEST + b" "), [SEAL], "does not sign"),
            (signed(signature=SIGNATURE[:-3] + b'0"}'), [SEAL], "does not sign"),
            (signed(signature=SIGNATURE + b" "), [SEAL], "does not sign"),
            (signed(signature=b"{}"), [SEAL], "not a signature"),
        ):
            server = self.serve(ranged(content, '"t"'))
            with self.assertRaises(RowpressError) as raised:
                self.client(server).bulkfill.download("j", target, signed_by=keys)
            self.assertEqual(raised.exception.code, "SIGNATURE_NOT_TRUSTED")
            self.assertIn(reason, str(raised.exception))
            self.assertFalse(target.exists())

    def test_the_file_appears_only_when_it_is_complete(self) -> None:
        content = archive()
        target = self.folder / "out.zip"
        target.write_bytes(b"the old file")
        server = self.serve(ranged(content, '"t"', cuts=[70_000]), CUT)
        with self.assertRaises(RowpressError):
            self.client(server, retries=2).bulkfill.download("j", target)
        self.assertEqual(target.read_bytes(), b"the old file")
        self.assertEqual(len(self.parts()), 1)
        server = self.serve(ranged(content, '"t"'))
        self.client(server).bulkfill.download("j", target)
        self.assertEqual(server.requests[1].headers["range"], "bytes=70000-")
        self.assertEqual((target.read_bytes(), self.parts()), (content, []))

    def test_a_file_that_changed_is_read_from_the_start(self) -> None:
        first, second = archive(), archive()
        steps = [ranged(first, '"1"', cuts=[80_000]), ranged(second, '"2"')]
        server = self.serve(*steps)
        target = self.folder / "out.zip"
        self.client(server).bulkfill.download("j", target)
        self.assertEqual((target.read_bytes(), self.parts()), (second, []))
        server = self.serve(*steps)
        steps[0] = ranged(first, '"1"', cuts=[80_000])
        server._steps = steps
        with self.client(server).bulkfill.stream("j") as stream, self.assertRaises(RowpressError) as raised:
            stream.read()
        self.assertEqual(raised.exception.code, "DOWNLOAD_CHANGED")

    def test_a_server_without_ranges(self) -> None:
        content = archive()
        server = self.serve(ranged(content, '"t"', cuts=[100_000], ranges=False))
        with self.client(server).bulkfill.stream("j") as stream:
            self.assertEqual(stream.read(), content)
        self.assertEqual(len(server.requests), 2)

    def test_a_damaged_zip(self) -> None:
        for content in (
            archive(damage=True),
            archive(extra=True),
            archive(merged=b"other rows"),
            with_second_name(),
            with_swapped_headers(),
            archive()[:-30],
            b"not a ZIP",
        ):
            server = self.serve(ranged(content, '"t"'))
            with self.assertRaises(RowpressError) as raised:
                self.client(server).bulkfill.download("j", self.folder / "out.zip")
            self.assertEqual(raised.exception.code, "CHECKSUM_MISMATCH")
            self.assertEqual(os.listdir(self.folder), [])
        self.client(server).bulkfill.download("j", self.folder / "out.zip", verify=False)

    def test_a_pdf_of_all_rows(self) -> None:
        server = self.serve(ranged(archive(merged=b"all rows"), '"t"'))
        self.client(server).bulkfill.download("j", self.folder / "out.zip")
        self.assertEqual(os.listdir(self.folder), ["out.zip"])

    def test_a_merged_pdf_alone(self) -> None:
        content = b"%PDF" + os.urandom(90_000)
        digest = hashlib.sha256(content).hexdigest()
        target = self.folder / "out.zip"
        server = self.serve(ranged(content, f'"{digest}"', cuts=[30_000]))
        self.assertEqual(self.client(server).bulkfill.download_merged("j", target), str(target))
        self.assertEqual((target.read_bytes(), self.parts()), (content, []))
        self.assertEqual(server.requests[1].headers["range"], "bytes=30000-")
        self.assertEqual({request.path for request in server.requests}, {"/v1/bulkfill/export-jobs/j/merged.pdf"})
        with self.client(server).bulkfill.stream_merged("j") as stream:
            self.assertEqual(stream.read(), content)

    def test_a_damaged_merged_pdf(self) -> None:
        content = b"%PDF" + os.urandom(9_000)
        wrong = "0" * 64
        manifest = Response(200, {"merged": {"file_name": "merged.pdf", "sha256": wrong}})
        for steps in ([ranged(content, f'"{wrong}"')], [ranged(content, '"other"'), manifest]):
            server = self.serve(*steps)
            with self.assertRaises(RowpressError) as raised:
                self.client(server).bulkfill.download_merged("j", self.folder / "out.zip")
            self.assertEqual(raised.exception.code, "CHECKSUM_MISMATCH")
            self.assertEqual(os.listdir(self.folder), [])
        right = Response(200, {"merged": {"sha256": hashlib.sha256(content).hexdigest()}})
        server = self.serve(ranged(content, '"other"'), right)
        self.client(server).bulkfill.download_merged("j", self.folder / "out.zip")
        self.assertEqual((self.folder / "out.zip").read_bytes(), content)

    def test_an_export_is_compared_with_its_etag(self) -> None:
        content = b"email\na@b.co\n" * 5000
        digest = hashlib.sha256(content).hexdigest()
        for etag, good in ((f'"{digest}"', True), (f'"{"0" * 64}"', False), ('"other"', True)):
            server = self.serve(CUT)
            job = {"data": {"id": "e", "status": "Completed", "download_url": f"{server.url}/v1/downloads/e/token/x.csv"}}
            file = ranged(content, etag, cuts=[1000], ranges=False)
            server._steps = (Response(200, job), file, Response(200, job), file)
            if good:
                self.client(server).subscribers.download_export("e", self.folder / "x.csv")
                self.assertEqual((self.folder / "x.csv").read_bytes(), content)
            else:
                with self.assertRaises(RowpressError) as raised:
                    self.client(server).subscribers.download_export("e", self.folder / "y.csv")
                self.assertEqual(raised.exception.code, "CHECKSUM_MISMATCH")


class Links(ScriptedCase):
    def test_the_key_is_not_sent_to_another_origin(self) -> None:
        content = archive()
        store = self.serve(ranged(content, '"t"', cuts=[10_000]))
        location = (("Location", f"{store.url}/bucket/file?X-Amz-Signature=1"),)
        server = self.serve(Response(302, b"", location))
        self.client(server).bulkfill.download("j", self.folder / "out.zip")
        self.assertEqual((self.folder / "out.zip").read_bytes(), content)
        self.assertEqual(len(store.requests), 2)
        for request in store.requests:
            self.assertFalse({"authorization", "x-request-id"} & set(request.headers))
            self.assertEqual(request.path, "/bucket/file?X-Amz-Signature=1")
        self.assertEqual(store.requests[1].headers["range"], "bytes=10000-")
        self.assertEqual({request.headers["authorization"] for request in server.requests}, {"Bearer doqlo_bfexp_a.b"})

    def test_an_expired_link_is_requested_again(self) -> None:
        content = archive()
        expired = Response(403, b"<Error><Code>AccessDenied</Code></Error>")
        store = self.serve(expired, ranged(content, '"t"', cuts=[10_000]), expired, ranged(content, '"t"'))
        links = [Response(302, b"", (("Location", f"{store.url}/file?X-Amz-Signature={n}"),)) for n in range(4)]
        server = self.serve(*links)
        self.client(server).bulkfill.download("j", self.folder / "out.zip")
        self.assertEqual((self.folder / "out.zip").read_bytes(), content)
        self.assertEqual([request.path[-1] for request in store.requests], ["0", "1", "2", "3"])
        self.assertEqual(store.requests[3].headers["range"], "bytes=10000-")

    def test_a_signed_link_at_the_same_origin_gets_no_key(self) -> None:
        location = (("Location", "/bucket/file?X-Amz-Signature=1"),)
        server = self.serve(Response(302, b"", location), ranged(archive(), '"t"'))
        self.client(server).bulkfill.download("j", self.folder / "out.zip")
        self.assertEqual(["authorization" in request.headers for request in server.requests], [True, False])

    def test_links_of_uploads_and_exports_need_no_key(self) -> None:
        other: ScriptedServer = self.serve(ranged(b"email\n", '"t"'))
        for link in ("http", "relative"):
            url = f"{other.url}/v1/downloads/e/t/x.csv" if link == "http" else "/v1/downloads/e/t/x.csv"
            job = {"data": {"id": "e", "status": "Completed", "download_url": url}}
            server = self.serve(Response(200, job), ranged(b"email\n", '"t"'))
            with self.client(server).subscribers.stream_export("e") as stream:
                self.assertEqual(stream.read(), b"email\n")
            last = other.requests[-1] if link == "http" else server.requests[-1]
            self.assertEqual((last.path, "authorization" in last.headers), ("/v1/downloads/e/t/x.csv", False))

    def test_a_base_path(self) -> None:
        server = self.serve(Response(302, b"", (("Location", "/rowpress/v1/elsewhere"),)), ranged(archive(), '"t"'))
        client = self.client(server, "/rowpress/")
        client.bulkfill.download("j", self.folder / "out.zip")
        paths = [request.path for request in server.requests]
        self.assertEqual(paths, ["/rowpress/v1/bulkfill/export-jobs/j/download", "/rowpress/v1/elsewhere"])

    def test_a_base_url_that_is_not_http(self) -> None:
        from rowpress import Rowpress

        for url in ("ftp://x", "localhost:8080", ""):
            with self.assertRaises(ValueError):
                Rowpress(url, "k")
