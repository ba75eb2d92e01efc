#!/bin/sh
# Posts a job whose end is sent to $WEBHOOK_URL, signed with $WEBHOOK_SECRET. Usage: run.sh OUTPUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
form="$here/../01-fill-a-form"
url=${ROWPRESS_URL:-http://127.0.0.1:8080}
out=${1:?usage: run.sh OUTPUT_FOLDER}
mkdir -p "$out"
"$here/../../bin/rowpress" layout seal --layout "$form/layout.json" --pdf "$form/form.pdf" -o "$out/form.doqlo"

curl -sS -f -o "$out/job.json" -X POST "$url/v1/bulkfill/export-jobs" \
  -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
  -H "Idempotency-Key: told-$(date +%s)-$$" \
  -F "pdf=@$form/form.pdf;type=application/pdf" \
  -F "doqlo_file=@$out/form.doqlo;type=application/octet-stream" \
  -F "csv_file=@$form/rows.csv;type=text/csv" \
  -F "max_failed_row_percent=0" \
  -F "delivery_mode=webhook" \
  -F "webhook_url=$WEBHOOK_URL" \
  -F "webhook_secret=$WEBHOOK_SECRET"
cat "$out/job.json"
echo
