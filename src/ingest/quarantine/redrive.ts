import type { z } from 'zod';
import { jsonResponse } from '#http/idempotency/wire-response.ts';
import { attempt } from '#storage/attempt.ts';
import type { Tx } from '#storage/database.ts';
import {
  closeQuarantine,
  listRedrivable,
  listStillOpen,
  lockQuarantine,
  type QuarantineRecord,
  quarantineItems,
  supersedeQuarantine,
} from '#storage/ingest/quarantine.ts';
import { getCollection } from '../collections/registry.ts';
import type { IngestKindParts, IngestParts } from '../parts.ts';
import { acceptItems } from '../pipeline/accept-items.ts';
import { FOREIGN_ITEM, narrower, type WarehouseLimit } from '../pipeline/foreign-items.ts';
import { judgeItems } from '../pipeline/judge-items.ts';
import { prepareItems } from '../pipeline/prepare-items.ts';
import { idSequence, publicId } from '../public-id.ts';
import type { Write, Written } from '../requests/answer-once.ts';
import type { redrivenSchema } from './contract.ts';
import { collectionNumber } from './read-quarantine.ts';

type Redriven = z.output<typeof redrivenSchema>['results'][number];

/** Limits one transaction; the next call continues. */
const MAX_RECORDS = 5_000;
/** Upper limit for waves, as a guard against bugs: a chain of references (zone in zone in warehouse) can have any length. */
const MAX_WAVES = 50;

/** `POST /quarantine/redrive`: evaluates again all records that may now pass. */
export async function redriveQuarantine(
  parts: IngestParts,
  write: Write,
  collection: string | undefined,
): Promise<Written> {
  const number = collectionNumber(collection);
  const { partnerNo, warehouses } = write.caller;
  const answer = await write.run(async (tx) => {
    const wanted = { partnerNo, warehouses, ...(number !== undefined && { collection: number }) };
    const results = await redriveWaves(parts, tx, wanted, write.correlationId);
    const count = (status: Redriven['status']) => results.filter((result) => result.status === status).length;
    return jsonResponse(200, {
      evaluated: results.length,
      accepted: count('ACCEPTED'),
      superseded: count('SUPERSEDED'),
      quarantined: count('OPEN'),
      results,
    } satisfies z.output<typeof redrivenSchema>);
  });
  parts.onAccepted(partnerNo);
  return answer;
}

/** Which records are evaluated again. */
export interface RedriveScope {
  readonly partnerNo: number;
  readonly collection?: number;
  /** The limit of the credential that starts the re-drive: only records and items of these warehouses. */
  readonly warehouses: WarehouseLimit;
}

/** Runs in waves: items accepted by one may be the missing references of the next. */
export async function redriveWaves(
  parts: IngestKindParts,
  tx: Tx,
  scope: RedriveScope,
  correlationId: string,
): Promise<Redriven[]> {
  const results: Redriven[] = [];
  const seen = new Set<string>();
  for (let wave = 0; wave < MAX_WAVES && results.length < MAX_RECORDS; wave += 1) {
    const limit = MAX_RECORDS - results.length;
    const records = (await listRedrivable(tx, { ...scope, limit })).filter((record) => !seen.has(record.id));
    if (records.length === 0) break;
    for (const { id } of records) seen.add(id);
    for (const group of groupByPlace(records))
      results.push(...(await redriveGroup(parts, tx, group, correlationId, scope.warehouses)));
  }
  return results;
}

/** In collection order, in which one transaction may write several. */
function groupByPlace(records: readonly QuarantineRecord[]): [QuarantineRecord, ...QuarantineRecord[]][] {
  const groups = new Map<string, [QuarantineRecord, ...QuarantineRecord[]]>();
  for (const record of records) {
    const key = JSON.stringify([record.collection, record.warehouse_id, record.credential_warehouses]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return [...groups.values()].sort(([a], [b]) => a.collection - b.collection);
}

/**
 * While a group waits for the locks of its items, a request may have sent one of them again and closed its record. The
 * record is then older than the item, and items without versions do not show it. Therefore a record must still be open
 * once its item is written and locked; otherwise the group starts over without it.
 */
async function redriveGroup(
  parts: IngestKindParts,
  tx: Tx,
  group: Group,
  correlationId: string,
  limit: WarehouseLimit,
): Promise<Redriven[]> {
  for (let open: readonly QuarantineRecord[] = group; ; ) {
    const [first, ...others] = open;
    if (first === undefined) return [];
    const results = await attempt(tx, async () => {
      const driven = await redriveOpen(parts, tx, [first, ...others], correlationId, limit);
      if ('results' in driven) return driven.results;
      open = driven.stillOpen;
      return undefined;
    });
    if (results !== undefined) return results;
  }
}

type Group = readonly [QuarantineRecord, ...QuarantineRecord[]];
type Driven =
  | { readonly results: Redriven[] }
  /** Other requests closed records meanwhile; the writes must be rolled back. */
  | { readonly stillOpen: readonly QuarantineRecord[] };

async function redriveOpen(
  parts: IngestKindParts,
  tx: Tx,
  group: Group,
  correlationId: string,
  limit: WarehouseLimit,
): Promise<Driven> {
  const [first] = group;
  const definition = getCollection(first.collection);
  const now = parts.clock.now();
  const nextId = idSequence(parts.ids);
  const scope = { partnerNo: first.partner_no, collection: definition.no };
  // The sender's limit applies too: a re-drive by another credential must not lift it.
  const warehouses = narrower(first.credential_warehouses, limit);
  const into = { ...scope, correlationId, warehouseId: first.warehouse_id, warehouses, now };
  const read = group.map((record) => ({ ok: true as const, value: record.item }));
  const { items } = prepareItems(definition, read, nextId);
  const judged = await judgeItems(tx, first.partner_no, definition, items);
  const { passed, stale } = judged;
  const applied = await acceptItems(tx, into, passed);
  // These stay open without a missing reference; only a release can end them.
  const foreign = passed.filter(({ ordinal }) => applied.get(ordinal)?.foreign === true);
  const failed = [...judged.failed, ...foreign.map((item) => ({ item, reason: FOREIGN_ITEM, missing: [] }))];
  const recordOf = (ordinal: number) => group[ordinal] as QuarantineRecord;
  await lockQuarantine(tx, scope);
  const openIds = await listStillOpen(
    tx,
    group.map(({ id }) => id),
  );
  if (openIds.size < group.length) return { stillOpen: group.filter(({ id }) => openIds.has(id)) };

  const accepted = passed.flatMap(({ ordinal }) => {
    const outcome = applied.get(ordinal);
    return outcome?.accepted === true ? [{ ordinal, internalId: outcome.internalId }] : [];
  });
  const overtaken = [
    ...stale.map(({ item }) => item.ordinal),
    ...passed.flatMap(({ ordinal }) => {
      const outcome = applied.get(ordinal);
      return outcome?.accepted === false && outcome.foreign !== true ? [ordinal] : [];
    }),
  ];
  const close = accepted.map(({ ordinal, internalId }) => ({ id: recordOf(ordinal).id, internalId }));
  await closeQuarantine(tx, close, 'ACCEPTED', now);
  const end = overtaken.map((ordinal) => ({ id: recordOf(ordinal).id, internalId: null }));
  await closeQuarantine(tx, end, 'SUPERSEDED', now);
  if (failed.length > 0) {
    const again = failed.map(({ item, reason, missing }) => {
      const { source_id, source_version, item: sent } = recordOf(item.ordinal);
      return {
        id: nextId(),
        sourceId: source_id,
        version: source_version,
        reason,
        item: JSON.stringify(sent),
        missing,
      };
    });
    await quarantineItems(tx, { ...into, warehouses: first.credential_warehouses }, again);
  }
  await supersedeQuarantine(
    tx,
    scope,
    accepted.map(({ ordinal }) => recordOf(ordinal).source_id),
    now,
  );

  const toResult = (ordinal: number, status: Redriven['status']): Redriven => ({
    quarantine_id: publicId('qn', recordOf(ordinal).id),
    collection: definition.path,
    source_id: recordOf(ordinal).source_id,
    status,
  });
  return {
    results: [
      ...accepted.map(({ ordinal, internalId }) => ({
        ...toResult(ordinal, 'ACCEPTED'),
        internal_id: publicId(definition.prefix, internalId),
      })),
      ...overtaken.map((ordinal) => toResult(ordinal, 'SUPERSEDED')),
      ...failed.map(({ item, reason }) => ({ ...toResult(item.ordinal, 'OPEN'), reason })),
    ],
  };
}
