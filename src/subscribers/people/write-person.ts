import type { z } from 'zod';
import { isUuid } from '#lib/ids.ts';
import type { Tx } from '#storage/database.ts';
import type { SubscriberRecord } from '#storage/subscribers/people.ts';
import { findSubscriber } from '#storage/subscribers/people.ts';
import { ensureTag, findTagIds } from '#storage/subscribers/tags.ts';
import {
  insertSubscriber,
  lockSubscriber,
  lockSubscriberByEmail,
  type SubscriberValues,
  tagSubscriber,
  updateSubscriber,
} from '#storage/subscribers/write-people.ts';
import { type FieldValue, parseFieldValue } from '../fields/field-value.ts';
import { listFields } from '../fields/list-fields.ts';
import { gone, invalid, isTaken, no } from '../http/refusals.ts';
import type { SubscribersParts } from '../parts.ts';
import { tagName } from '../tags/contract.ts';
import { announceSubscriber } from '../webhooks/announce.ts';
import type { updateBody, upsertBody } from './contract.ts';
import { parseCountry } from './country.ts';
import { type Email, parseEmail } from './email.ts';
import type { Status } from './status.ts';

type Upsert = z.infer<typeof upsertBody>;
type Update = z.infer<typeof updateBody>;

/** Creates or updates the person with an email. The two cannot race, because the email is unique. */
export async function upsertPerson(
  deps: SubscribersParts,
  tx: Tx,
  accountId: string,
  body: Upsert,
): Promise<{ readonly created: boolean; readonly record: SubscriberRecord }> {
  const now = deps.clock.now();
  const email = emailOf(body.email);
  const values = await valuesOf(tx, accountId, body);
  const tagIds = await tagsOf(deps, tx, accountId, body);
  const newId = deps.ids.uuid();
  const created = await insertSubscriber(tx, newId, accountId, { ...values, email }, now);
  const id = created ? newId : await lockSubscriberByEmail(tx, accountId, email.key);
  if (id === undefined) throw no('resource_conflict', 'This subscriber is being deleted. Retry the request.');
  if (!created && body.create_only === true)
    throw no('resource_conflict', 'A subscriber with this email already exists.', {
      field: 'email',
      reason: 'taken',
      resource: { type: 'subscriber', id },
    });
  const before = created ? undefined : await findSubscriber(tx, accountId, id);
  if (before !== undefined) {
    // Keeps the stored spelling of the address. Sequence ids are only added, never removed.
    const sequenceIds = [...new Set([...before.sequence_ids, ...(body.sequence_ids ?? [])])];
    await updateSubscriber(tx, accountId, id, { ...values, sequenceIds }, now);
  }
  if (tagIds.length > 0) await tagSubscriber(tx, id, tagIds);
  const record = await getPerson(tx, accountId, id);
  await tell(deps, tx, accountId, before, record);
  return { created, record };
}

export async function changePerson(
  deps: SubscribersParts,
  tx: Tx,
  accountId: string,
  id: string,
  body: Update,
): Promise<SubscriberRecord> {
  const before = await lockPerson(tx, accountId, id);
  const values = await valuesOf(tx, accountId, body);
  const email = body.email === undefined ? {} : { email: emailOf(body.email) };
  await updateSubscriber(tx, accountId, id, { ...values, ...email }, deps.clock.now()).catch((error) => {
    throw isTaken(error)
      ? no('resource_conflict', 'A subscriber with this email already exists.', {
          field: 'email',
          reason: 'taken',
        })
      : error;
  });
  const record = await getPerson(tx, accountId, id);
  await tell(deps, tx, accountId, before, record);
  return record;
}

export async function setStatus(
  deps: SubscribersParts,
  tx: Tx,
  accountId: string,
  id: string,
  status: Status,
): Promise<SubscriberRecord> {
  const before = await lockPerson(tx, accountId, id);
  await updateSubscriber(tx, accountId, id, { status }, deps.clock.now());
  if (before.status !== status)
    await announceSubscriber(deps, tx, accountId, 'subscriber.status_changed', { id, status });
  return getPerson(tx, accountId, id);
}

/**
 * Reads and locks the current values: of two concurrent changes, the second reads the result of the first and announces
 * its own.
 */
async function lockPerson(tx: Tx, accountId: string, id: string): Promise<SubscriberRecord> {
  if (!(await lockSubscriber(tx, accountId, id))) throw gone('subscriber');
  return getPerson(tx, accountId, id);
}

export async function getPerson(tx: Tx, accountId: string, id: string): Promise<SubscriberRecord> {
  const record = await findSubscriber(tx, accountId, id);
  if (record === undefined) throw gone('subscriber');
  return record;
}

async function tell(
  deps: SubscribersParts,
  tx: Tx,
  accountId: string,
  before: SubscriberRecord | undefined,
  { id, status }: SubscriberRecord,
): Promise<void> {
  await announceSubscriber(
    deps,
    tx,
    accountId,
    before === undefined ? 'subscriber.created' : 'subscriber.updated',
    {
      id,
      status,
    },
  );
  if (before !== undefined && before.status !== status)
    await announceSubscriber(deps, tx, accountId, 'subscriber.status_changed', { id, status });
}

function emailOf(text: string): Email {
  const email = parseEmail(text);
  if (email === undefined) throw invalid('email', 'is not an email address');
  return email;
}

async function valuesOf(tx: Tx, accountId: string, body: Upsert | Update): Promise<SubscriberValues> {
  const { name, status, country, subscribed_on: day } = body;
  const isBlank = country?.trim() === '';
  const code = country === undefined || country === null || isBlank ? country : parseCountry(country);
  if (code === undefined && country !== undefined)
    throw invalid('country', 'is neither a two-letter country code nor a country name');
  const fields = await fieldsOf(tx, accountId, body.custom_fields ?? {});
  return {
    ...(name !== undefined && name !== null && { name }),
    ...(status !== undefined && status !== null && { status }),
    ...(code !== undefined && !isBlank && { country: code }),
    ...(day !== undefined && day !== null && { subscribedAt: new Date(`${day}T00:00:00.000Z`) }),
    ...('sequence_ids' in body &&
      body.sequence_ids !== undefined && { sequenceIds: [...new Set(body.sequence_ids)] }),
    fields,
  };
}

/** Blank values keep the stored value, null deletes it. An unknown field or invalid value rejects the request. */
async function fieldsOf(
  tx: Tx,
  accountId: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, FieldValue | null>> {
  const entries = Object.entries(given);
  if (entries.length === 0) return {};
  const known = new Map((await listFields(tx, accountId)).map((field) => [field.id, field]));
  const values: Record<string, FieldValue | null> = {};
  for (const [id, raw] of entries) {
    const field = known.get(id.toLowerCase());
    if (field === undefined) throw invalid(`custom_fields.${id.slice(0, 100)}`, 'is not a custom field');
    const parsed = parseFieldValue(field, raw);
    if (!parsed.ok) throw invalid(`custom_fields.${id}`, parsed.reason);
    if (raw === null) values[field.id] = null;
    else if (parsed.value !== undefined) values[field.id] = parsed.value;
  }
  return values;
}

async function tagsOf(deps: SubscribersParts, tx: Tx, accountId: string, body: Upsert): Promise<string[]> {
  const ids = body.tag_ids ?? [];
  const known = await findTagIds(tx, accountId, ids.filter(isUuid));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown !== undefined) throw invalid('tag_ids', 'names a tag that does not exist');
  const names = (body.new_tags ?? []).map((name) => {
    const parsed = tagName.safeParse(name);
    if (!parsed.success) throw invalid('new_tags', 'must contain names of 1 to 200 characters');
    return parsed.data;
  });
  const made: string[] = [];
  // The same order everywhere: two requests that create the same tags wait for each other without a deadlock.
  for (const name of names.toSorted(byLowerCase))
    made.push(await ensureTag(tx, accountId, { id: deps.ids.uuid(), name }, deps.clock.now()));
  return [...known, ...made];
}

/** The key that identifies a tag. */
function byLowerCase(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}
