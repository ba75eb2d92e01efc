#!/bin/sh
# Seals the layout, posts form and rows, downloads the ZIP. Usage: run.sh OUTPUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rowpress="$here/../../bin/rowpress"
url=${ROWPRESS_URL:-http://127.0.0.1:8080}
out=${1:?usage: run.sh OUTPUT_FOLDER}
mkdir -p "$out"

"$rowpress" layout seal --layout "$here/layout.json" --pdf "$here/form.pdf" -o "$out/form.doqlo"

curl -sS -X POST "$url/v1/bulkfill/export-jobs" \
  -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
  -H "Idempotency-Key: certificates-$(date +%s)-$$" \
  -F "pdf=@$here/form.pdf;type=application/pdf" \
  -F "doqlo_file=@$out/form.doqlo;type=application/octet-stream" \
  -F "csv_file=@$here/rows.csv;type=text/csv" \
  -F 'filename_columns=["column_0"]' \
  -F "max_failed_row_percent=0" \
  -o "$out/job.json"
job=$(sed -n 's/.*"job_id":"\([^"]*\)".*/\1/p' "$out/job.json")
[ -n "$job" ] || { cat "$out/job.json" >&2; exit 1; }

# A small job has settled in the first response. Poll a large one until it has.
until grep -Eq '"status":"(completed|failed)"' "$out/job.json"; do
  sleep 1
  curl -sS -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
    "$url/v1/bulkfill/export-jobs/$job" -o "$out/job.json"
done

curl -sS -f -L -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
  "$url/v1/bulkfill/export-jobs/$job/download" -o "$out/certificates.zip"
echo "job $job: $out/certificates.zip"
