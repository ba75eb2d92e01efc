import type { FieldRule, MultipartRefusal, MultipartRules } from '#http/multipart-form.ts';
import type { Principal } from '#http/principal.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import { type BulkfillCode, refuse } from '../errors.ts';
import type { CreateSettings } from './create-parts.ts';

export interface CreateLimits {
  readonly maxPdfBytes: number;
  readonly maxPackageBytes: number;
  readonly maxRowsBytes: number;
  readonly maxAssetsBytes: number;
}

/** The limits of an account: those of the settings, and of its plan. */
export function uploadLimits(settings: CreateSettings, { plan }: Pick<Principal, 'plan'>): CreateLimits {
  const planned = settings.plans.get(plan)?.maxPdfBytes ?? Number.POSITIVE_INFINITY;
  const { maxPdfBytes, maxPackageBytes, maxRowsBytes, maxAssetsBytes } = settings;
  return { maxPdfBytes: Math.min(maxPdfBytes, planned), maxPackageBytes, maxRowsBytes, maxAssetsBytes };
}

const MAX_TEXT_BYTES = 16 * 1024;
const FORM_BYTES = 1024 * 1024;
const text: FieldRule = { kind: 'text', maxBytes: MAX_TEXT_BYTES };
const tooLargeCodes: Readonly<Record<string, BulkfillCode>> = {
  pdf: 'PDF_TOO_LARGE',
  doqlo_file: 'PACKAGE_TOO_LARGE',
  rows_json: 'ROWS_TOO_LARGE',
  csv_file: 'ROWS_TOO_LARGE',
  rows_file: 'ROWS_TOO_LARGE',
  assets_file: 'INVALID_ASSETS',
  layout: 'PACKAGE_TOO_LARGE',
};

/** Maximum size of a create request: one row input, the other files, the texts and the multipart overhead. */
export function maxCreateBytes(limits: CreateLimits): number {
  const { maxPdfBytes, maxPackageBytes, maxRowsBytes, maxAssetsBytes } = limits;
  return maxPdfBytes + maxPackageBytes + maxRowsBytes + maxAssetsBytes + FORM_BYTES;
}

/** The form of a create request. Rows are always treated as files, because even `rows_json` can be large. */
export function createRules(limits: CreateLimits): MultipartRules {
  const file = (maxBytes: number): FieldRule => ({ kind: 'file', maxBytes });
  const fields: Record<string, FieldRule> = {
    pdf: file(limits.maxPdfBytes),
    doqlo_file: file(limits.maxPackageBytes),
    rows_json: file(limits.maxRowsBytes),
    csv_file: file(limits.maxRowsBytes),
    rows_file: file(limits.maxRowsBytes),
    assets_file: file(limits.maxAssetsBytes),
    rows_from: text,
    project: text,
    max_failed_row_percent: text,
    include_stickers: text,
    flatten_forms: text,
    delivery_mode: text,
    webhook_url: text,
    webhook_secret: text,
    filename_columns: text,
    group_by: text,
    dry_run: text,
    output: text,
    sheet: text,
    duplex: text,
    password_column: text,
    verify_column: text,
    sign_manifest: text,
    csv_header: text,
    match_columns: text,
    csv_encoding: text,
    cell_values: text,
  };
  return { fields, refuse: (refusal) => refuseField(refusal, fields) };
}

export function refuseField(
  refusal: MultipartRefusal,
  fields: Readonly<Record<string, FieldRule>>,
): ApiError {
  switch (refusal.problem) {
    case 'malformed':
      return refuse('INVALID_MULTIPART', refusal.detail);
    case 'unknown':
      return refuse('UNKNOWN_FIELD', `The field ${JSON.stringify(refusal.field)} is unknown.`);
    case 'duplicate':
      return refuse('DUPLICATE_FIELD', `The field ${refusal.field} was sent more than once.`);
    case 'notText':
      return refuse('INVALID_FIELD', `${refusal.field} must be UTF-8 text.`);
    case 'tooLarge': {
      const code = tooLargeCodes[refusal.field] ?? 'INVALID_FIELD';
      return refuse(code, `${refusal.field} is larger than ${fields[refusal.field]?.maxBytes} bytes.`);
    }
  }
}
