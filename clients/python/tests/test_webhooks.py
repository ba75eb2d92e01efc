from __future__ import annotations

import json
import os
import unittest
from email.message import Message
from typing import Any, Dict

from rowpress import RowpressError, verify_webhook

#: Deliveries that the server's own code signed: {scheme: {name: {headers, body, secrets}}} (test/python/client.test.ts).
with open(os.environ["ROWPRESS_TEST_WEBHOOKS"], encoding="utf-8") as file:
    SIGNED: Dict[str, Dict[str, Any]] = json.load(file)
OTHER = "whsec_b3RoZXI="


class Webhooks(unittest.TestCase):
    def refused(self, *arguments: Any, **options: Any) -> str:
        with self.assertRaises(RowpressError) as raised:
            verify_webhook(*arguments, **options)
        self.assertEqual((raised.exception.code, raised.exception.status), ("WEBHOOK_INVALID", 0))
        return raised.exception.message

    def test_genuine_deliveries(self) -> None:
        for scheme, cases in SIGNED.items():
            headers, body, secret = (cases["current"][name] for name in ("headers", "body", "secret"))
            event = json.loads(body)
            message = Message()
            for name, value in headers.items():
                message[name.upper()] = value
            raw = body.encode("utf-8")
            for given in (headers, message, list(headers.items()), {name: [value] for name, value in headers.items()}):
                self.assertEqual(verify_webhook(scheme, given, raw, secret), event)
            self.assertEqual(verify_webhook(scheme, headers, body, secret), event)
            self.assertEqual(verify_webhook(scheme, headers, raw, [OTHER, secret]), event)

    def test_forged_deliveries(self) -> None:
        for scheme, cases in SIGNED.items():
            headers, body, secret = (cases["current"][name] for name in ("headers", "body", "secret"))
            self.refused(scheme, headers, body + " ", secret)
            self.refused(scheme, headers, body, OTHER)
            for name in headers:
                if "signature" in name or "timestamp" in name or name == "webhook-id":
                    without = {each: value for each, value in headers.items() if each != name}
                    counts = name in ("x-doqlo-signature", "x-doqlo-timestamp") or scheme == "subscribers"
                    counts = counts or name in ("x-fgai-timestamp", "x-fgai-signature-v2")
                    if counts:
                        self.refused(scheme, without, body, secret)
                        self.refused(scheme, [*headers.items(), (name, headers[name])], body, secret)
            stamp = next(name for name in headers if name.endswith("timestamp") and (scheme != "bulkfill" or "doqlo" in name))
            self.refused(scheme, {**headers, stamp: str(int(headers[stamp]) + 1)}, body, secret)
            self.refused(scheme, {**headers, stamp: "soon"}, body, secret)

    def test_old_deliveries(self) -> None:
        for scheme, cases in SIGNED.items():
            headers, body, secret = (cases["old"][name] for name in ("headers", "body", "secret"))
            self.assertRegex(self.refused(scheme, headers, body, secret), r"is 6\d\d s off; at most 300 s")
            verify_webhook(scheme, headers, body, secret, tolerance_seconds=100_000)

    def test_either_secret_during_a_rotation(self) -> None:
        for scheme in ("subscribers", "ingest"):
            case = SIGNED[scheme]["rotating"]
            for secret in case["secrets"]:
                verify_webhook(scheme, case["headers"], case["body"], secret)
            self.refused(scheme, case["headers"], case["body"], OTHER)

    def test_an_ingest_signature_over_the_body_alone(self) -> None:
        headers, body, secret = (SIGNED["ingest"]["current"][name] for name in ("headers", "body", "secret"))
        untimed = {"X-FGAI-Signature": headers["x-fgai-signature"]}
        self.assertEqual(verify_webhook("ingest", untimed, body, secret), json.loads(body))
        self.assertEqual(verify_webhook("ingest", untimed, body, [OTHER, secret]), json.loads(body))
        self.refused("ingest", untimed, body + " ", secret)
        self.refused("ingest", untimed, body, OTHER)
        self.refused("ingest", untimed, body, secret, require_signed_time=True)
        for name in ("x-fgai-timestamp", "x-fgai-signature-v2"):
            self.refused("ingest", {**untimed, name: headers[name]}, body, secret)
        case = SIGNED["ingest"]["rotating"]
        plain = {name: value for name, value in case["headers"].items() if "v2" not in name and "timestamp" not in name}
        for each in case["secrets"]:
            verify_webhook("ingest", plain, case["body"], each)

    def test_wrong_arguments(self) -> None:
        for scheme, secret in (("stripe", "s"), ("bulkfill", ""), ("bulkfill", []), ("bulkfill", ["a", ""])):
            with self.assertRaises(ValueError):
                verify_webhook(scheme, {}, b"{}", secret)
