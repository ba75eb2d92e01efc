import type { Db } from '#storage/database.ts';
import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import type { Field, FieldType } from './field-value.ts';

/** Returns all custom fields of an account, in the order of their labels. */
export async function listFields(db: Db, accountId: string): Promise<Field[]> {
  const records = await listAllCustomFields(db, accountId);
  return records.map(({ id, label, type, options }) => ({ id, label, type: type as FieldType, options }));
}
