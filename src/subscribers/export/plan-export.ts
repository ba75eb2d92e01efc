import { listAllCustomFields } from '#storage/subscribers/custom-fields.ts';
import { rangesOfSubscribers } from '#storage/subscribers/people.ts';
import type { SubscribersParts } from '../parts.ts';
import type { ExportInput } from './export-input.ts';

/** People per slice. Reading and encoding them takes about two seconds, far less than the time limit of a slice. */
const SLICE_PEOPLE = 50_000;

/** Fixes what all slices of an export must agree on: its ranges, its columns and its time. */
export async function planExport(
  { db, clock, settings }: Pick<SubscribersParts, 'db' | 'clock' | 'settings'>,
  accountId: string,
  wanted: Pick<ExportInput, 'selection' | 'format'>,
): Promise<ExportInput> {
  const slices = await rangesOfSubscribers(db, accountId, settings.exportSlicePeople ?? SLICE_PEOPLE);
  const fields = await listAllCustomFields(db, accountId);
  return {
    ...wanted,
    at: clock.now().toISOString(),
    fields: fields.map(({ id, label }) => ({ id, label })),
    slices,
  };
}
