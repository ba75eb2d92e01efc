import { z } from 'zod';
import { itemOf, label, self, timestamp } from '../contract.ts';
import { mapping } from '../import/mapping.ts';

const ID = '0190a3c4-0000-7000-8000-0000000000b1';
export const uploadParams = z.object({
  upload_id: z.string().meta({ description: 'Id of the upload', examples: [ID] }),
});
export const tokenParams = z.object({ token: z.string().describe('The secret of the upload link') });
export const createBody = z
  .object({ file_name: label(255).nullish() })
  .meta({ id: 'StartImportUpload', examples: [{ file_name: 'people.csv' }] })
  .nullish();

export const upload = z
  .object({
    id: z.string(),
    status: z.enum(['Pending', 'Ready', 'Queued']),
    upload_url: z.string().nullable().meta({
      description:
        'Only in the response to the create. PUT the file to this URL, or open it in a browser; no key is required.',
    }),
    file_name: z.string().nullable(),
    size_bytes: z.number().int().nullable(),
    headers: z.array(z.string()),
    row_count: z.number().int().nullable(),
    import_job_id: z.string().nullable(),
    proposed_mappings: z.array(mapping),
    expires_at: timestamp,
    uploaded_at: timestamp.nullable(),
    queued_at: timestamp.nullable(),
    self,
  })
  .meta({
    id: 'ImportUpload',
    description: 'An upload for an import',
    examples: [
      {
        id: ID,
        status: 'Ready',
        upload_url: null,
        file_name: 'people.csv',
        size_bytes: 2048,
        headers: ['Email', 'Name'],
        row_count: 20,
        import_job_id: null,
        proposed_mappings: [{ csv_column: 'Email', field: { type: 'email' } }],
        expires_at: '2026-11-17T10:15:00.000Z',
        uploaded_at: '2026-11-17T09:15:00.000Z',
        queued_at: null,
        self: `/v1/jobs/subscriber-import-uploads/${ID}`,
      },
    ],
  });
export const uploadItem = itemOf(upload);
