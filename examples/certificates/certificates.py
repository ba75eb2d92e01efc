"""Makes a certificate for each row of people.csv. Usage: python3 certificates.py CERTIFICATE.doqlo OUTPUT_FOLDER"""

import os
import sys
import zipfile
from pathlib import Path

from rowpress import Rowpress

here = Path(__file__).parent
package, out = sys.argv[1], Path(sys.argv[2])

rp = Rowpress(os.environ.get("ROWPRESS_URL", "http://127.0.0.1:8080"), os.environ["BULKFILL_KEY"])
job = rp.bulkfill.create_and_wait(
    pdf=here / "certificate.pdf",
    package=package,
    csv=here / "people.csv",
    # The columns of the file may be in any order: they are matched to the labels of the layout.
    match_columns="label",
    filename_columns=["column_0"],
    # The same key again returns the same job, so this program can be run twice.
    idempotency_key="certificates-2026-10",
)
if job["status"] == "failed":
    sys.exit(job["error"]["message"])

out.mkdir(parents=True, exist_ok=True)
archive = rp.bulkfill.download(job["job_id"], out / "certificates.zip")
with zipfile.ZipFile(archive) as files:
    files.extractall(out)
for file in sorted(out.glob("row_*.pdf")):
    print(file.name)
