"""Fills the form fields of permit.pdf for each applicant. Usage: python3 permits.py PERMIT.doqlo OUTPUT_FOLDER"""

import os
import sys
from pathlib import Path

from rowpress import Rowpress

here = Path(__file__).parent
package, out = sys.argv[1], Path(sys.argv[2])

rp = Rowpress(os.environ.get("ROWPRESS_URL", "http://127.0.0.1:8080"), os.environ["BULKFILL_KEY"])
options = {
    "pdf": here / "permit.pdf",
    "package": package,
    "csv": here / "applicants.csv",
    "match_columns": "label",
    "filename_columns": ["column_0"],
}

# A dry run draws nothing and costs nothing: it tells which cells do not fit the form.
trial = rp.bulkfill.create_and_wait(dry_run=True, **options)
for row in rp.bulkfill.problem_rows(trial["job_id"]):
    print(f"row {row['row_number']}, {row['column_label']}: {row['message']}")

job = rp.bulkfill.create_and_wait(**options)
if job["status"] == "failed":
    sys.exit(job["error"]["message"])
out.mkdir(parents=True, exist_ok=True)
print(rp.bulkfill.download(job["job_id"], out / "permits.zip"))
