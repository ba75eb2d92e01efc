// Generated from docs/errors.json by `node clients/typescript/generate.ts`. Do not edit.
import type { Retry, Surface } from './rowpress-error.ts';

export const RETRY_TABLE: Readonly<Record<Surface, Readonly<Record<string, Retry>>>> = {
  bulkfill: {
    'EXPORT_CANCELLED': 'new-key',
    'EXPORT_DELIVERY_FAILED': 'same-key',
    'EXPORT_FAILED': 'new-key',
    'EXPORT_JOB_OPEN': 'same-key',
    'FAILED_ROW_THRESHOLD_EXCEEDED': 'no',
    'HIGH_FAIL_RATIO_COOLDOWN': 'same-key',
    'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH': 'new-key',
    'INTERNAL_ERROR': 'same-key',
    'RATE_LIMITED': 'same-key',
    'REPEATED_FAILED_JOBS_COOLDOWN': 'same-key',
    'REQUEST_TIMEOUT': 'same-key',
    'SERVICE_UNAVAILABLE': 'same-key',
    'STORAGE_FULL': 'same-key',
    'STORED_DATA_DAMAGED': 'no',
  },
  subscribers: {
    'idempotency_key_reused': 'new-key',
    'internal_error': 'same-key',
    'rate_limited': 'same-key',
    'request_timeout': 'same-key',
    'service_unavailable': 'same-key',
    'storage_full': 'same-key',
    'stored_data_damaged': 'no',
    'upload_not_ready': 'same-key',
  },
  ingest: {
    'internal-error': 'same-key',
    'rate-limited': 'same-key',
    'request-timeout': 'same-key',
    'service-unavailable': 'same-key',
    'state-conflict': 'same-key',
    'storage-full': 'same-key',
    'stored-data-damaged': 'no',
  },
};
