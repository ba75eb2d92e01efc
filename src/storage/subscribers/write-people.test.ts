import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemIds } from '#lib/ids.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { deleteTag, ensureTag } from './tags.ts';
import { mergeSubscribers } from './write-people.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const ACCOUNT = '00000000-0000-7000-8000-000000000001';

test('[SUB28] a tag deleted after the import was checked: not added, and no row fails', async () => {
  const { db } = await openTestDatabase();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${NOW})`.execute(
    db,
  );
  const tag = (name: string) =>
    db.transaction().execute((tx) => ensureTag(tx, ACCOUNT, { id: systemIds.uuid(), name }, NOW));
  const [kept, gone] = [await tag('kept'), await tag('gone')];
  await deleteTag(db, ACCOUNT, gone);
  const keys = ['ada@example.org', 'bob@example.org'];
  const columns = {
    ids: keys.map(() => systemIds.uuid()),
    emails: keys,
    keys,
    names: [],
    countries: [],
    fields: [],
    statuses: [],
  };
  const merge = { accountId: ACCOUNT, columns, tagIds: [kept, gone], sequenceIds: [], now: NOW };
  expect(await db.transaction().execute((tx) => mergeSubscribers(tx, merge))).toEqual({
    created: 2,
    updated: 0,
  });
  const { rows } = await sql`select tag_id from subscriber_tags`.execute(db);
  expect(rows).toEqual([{ tag_id: kept }, { tag_id: kept }]);
});
