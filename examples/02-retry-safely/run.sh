#!/bin/sh
# Sends one create twice, then the same key with other rows. Usage: run.sh OUTPUT_FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
form="$here/../01-fill-a-form"
url=${ROWPRESS_URL:-http://127.0.0.1:8080}
out=${1:?usage: run.sh OUTPUT_FOLDER}
mkdir -p "$out"
cp "$form/form.pdf" "$out/form.pdf"
"$here/../../bin/rowpress" layout seal --layout "$form/layout.json" --pdf "$form/form.pdf" -o "$out/form.doqlo"
cd "$out"

first() {
  curl -sS -D "$1.headers" -o "$1.json" -X POST "$url/v1/bulkfill/export-jobs" \
    -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
    -H "Idempotency-Key: 8a3f0c08-5a6f-4f49-a502-c8b8c47a6d8f" \
    -H "X-Request-Id: support-create-001" \
    -F "pdf=@form.pdf;type=application/pdf" \
    -F "doqlo_file=@form.doqlo;type=application/octet-stream" \
    -F "rows_json=$2" \
    -F "max_failed_row_percent=5"
}
first 1-first '[{"column_0":"Alice Nguyen"}]'
first 2-replay '[{"column_0":"Alice Nguyen"}]'
first 3-conflict '[{"column_0":"Somebody Else"}]'

curl -sS -D 4-no-request-id.headers -o 4-no-request-id.json -X POST "$url/v1/bulkfill/export-jobs" \
  -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
  -H "Idempotency-Key: e3f00f71-2d08-4a9f-bbb3-28b8d7ab1b76" \
  -F "pdf=@form.pdf;type=application/pdf" \
  -F "doqlo_file=@form.doqlo;type=application/octet-stream" \
  -F 'rows_json=[{"column_0":"Alice Nguyen"}]' \
  -F "max_failed_row_percent=5"

curl -sS -D 5-key.headers -o 5-key.json -H "Authorization: Bearer $DOQLO_BF_EXPORT_API_KEY" \
  "$url/v1/bulkfill/idempotency-keys?key=8a3f0c08-5a6f-4f49-a502-c8b8c47a6d8f"

for answer in 1-first 2-replay 3-conflict 4-no-request-id 5-key; do
  echo "$answer: $(head -n 1 "$answer.headers" | tr -d '\r') $(cat "$answer.json")"
done
