"""Imports subscribers and makes a letter for each active one. Usage: python3 letters.py LETTER.doqlo OUTPUT_FOLDER"""

import os
import sys
from pathlib import Path

from rowpress import Rowpress

here = Path(__file__).parent
package, out = sys.argv[1], Path(sys.argv[2])
url = os.environ.get("ROWPRESS_URL", "http://127.0.0.1:8080")
out.mkdir(parents=True, exist_ok=True)

subscribers = Rowpress(url, os.environ["SUBSCRIBERS_KEY"]).subscribers
imported = subscribers.import_and_wait(
    file=here / "subscribers.csv",
    mappings=[{"csv_column": "Email", "field": "email"}, {"csv_column": "Name", "field": "name"}],
)
print(imported["imported_count"], "imported,", imported["failed_count"], "failed")
for row in subscribers.failed_rows(imported["id"]):
    print(f"line {row['line']}: {row['message']}")

# The rows stay on the server: the key must be allowed to read them (keys create --read subscribers).
bulkfill = Rowpress(url, os.environ["BULKFILL_KEY"]).bulkfill
job = bulkfill.create_and_wait(
    pdf=here / "letter.pdf",
    package=package,
    rows_from="subscribers:status=Active",
    filename_columns=["column_1"],
)
if job["status"] == "failed":
    sys.exit(job["error"]["message"])
print(bulkfill.download(job["job_id"], out / "letters.zip"))
