import type { z } from 'zod';
import type { CustomFieldRecord } from '#storage/subscribers/custom-fields.ts';
import { iso } from '../views.ts';
import type { customField } from './contract.ts';
import type { FieldType } from './field-value.ts';

export function showField(record: CustomFieldRecord): z.infer<typeof customField> {
  return {
    id: record.id,
    label: record.label,
    type: record.type as FieldType,
    settings: { options: record.options },
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
    self: `/v1/custom-fields/${record.id}`,
  };
}
