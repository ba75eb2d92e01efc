"""Pushes shipments of an ERP system to Ingest and prints a label for each. Usage: python3 labels.py LABEL.doqlo OUTPUT_FOLDER"""

import json
import os
import sys
from pathlib import Path

from rowpress import Rowpress

here = Path(__file__).parent
package, out = sys.argv[1], Path(sys.argv[2])
url = os.environ.get("ROWPRESS_URL", "http://127.0.0.1:8080")
ingest = Rowpress(url, os.environ["INGEST_KEY"]).ingest
bulkfill = Rowpress(url, os.environ["BULKFILL_KEY"]).bulkfill

COUNTRIES = {"DE": "Germany", "FR": "France", "IT": "Italy"}


def push(collection, items):
    """Sends items and returns the ids that are stored. One bad item affects no other."""
    answer = ingest.upsert(collection, items)
    for result in answer["results"]:
        if "reason" in result:
            print(result["status"].lower(), result["source_id"], result["reason"])
    return [result["source_id"] for result in answer["results"] if result["status"] in ("ACCEPTED", "REPLAY")]


erp = json.loads((here / "erp.json").read_text("utf-8"))
push("master/uoms", erp["uoms"])
push("master/addresses", erp["addresses"])
push("master/skus", erp["skus"])
# The shipment to an unknown address is kept in quarantine until the address arrives.
shippers = push("documents/shippers", erp["shippers"])


def label(sscc):
    """The row of one label, from the data as Ingest has stored it."""
    shipper = ingest.item("documents/shippers", sscc)["item"]
    address = ingest.item("master/addresses", shipper["parties"][0]["address_source_id"])["item"]
    contents = [
        f"{line['quantity']} × {ingest.item('master/skus', line['sku_source_id'])['item']['name']}"
        for line in shipper["lines"]
    ]
    return {
        "Recipient": address["name"],
        "Street": address["lines"][0],
        "City": f"{address['postal_code']} {address['city']}",
        "Country": COUNTRIES[address["country"]].upper(),
        "Order": shipper["attributes"]["order"],
        "Contents": "\n".join(contents),
        "SSCC": sscc,
    }


job = bulkfill.create_and_wait(
    pdf=here / "label.pdf",
    package=package,
    rows=[label(sscc) for sscc in shippers],
    match_columns="label",
    filename_columns=["SSCC"],
)
if job["status"] == "failed":
    sys.exit(job["error"]["message"])
for row in bulkfill.problem_rows(job["job_id"]):
    print(row["row_number"], row["code"], row["message"])

out.mkdir(parents=True, exist_ok=True)
print(bulkfill.download(job["job_id"], out / "labels.zip"))
