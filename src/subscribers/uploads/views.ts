import type { z } from 'zod';
import type { UploadRecord } from '#storage/subscribers/uploads.ts';
import type { Field } from '../fields/field-value.ts';
import { proposeMappings } from '../import/mapping.ts';
import { iso, isoOrNull } from '../views.ts';
import type { upload } from './contract.ts';

export function showUpload(
  record: UploadRecord,
  fields: readonly Field[],
  uploadUrl: string | null,
): z.infer<typeof upload> {
  return {
    id: record.id,
    status: record.queued_at !== null ? 'Queued' : record.uploaded_at !== null ? 'Ready' : 'Pending',
    upload_url: uploadUrl,
    file_name: record.file_name,
    size_bytes: record.size_bytes,
    headers: record.headers,
    row_count: record.row_count,
    import_job_id: record.import_job_id,
    proposed_mappings: proposeMappings(record.headers, fields),
    expires_at: iso(record.expires_at),
    uploaded_at: isoOrNull(record.uploaded_at),
    queued_at: isoOrNull(record.queued_at),
    self: `/v1/jobs/subscriber-import-uploads/${record.id}`,
  };
}
