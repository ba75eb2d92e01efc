import { describe, expect, test } from 'vitest';
import { CHAIN_START, type ChainedEntry, hashEntry } from './audit-entry.ts';
import { verifyChain } from './verify-chain.ts';

function chainOf(length: number): ChainedEntry[] {
  const chain: ChainedEntry[] = [];
  let previous_hash = CHAIN_START.hash;
  for (let seq = 1; seq <= length; seq += 1) {
    const content = {
      seq,
      id: `id-${seq}`,
      at: '2026-01-01T00:00:00.000Z',
      operator: { id: 'o', name: 'Ada "the first" Ω' },
      action: 'key.created',
      account: seq % 2 === 0 ? null : { id: 'a', name: 'Acme' },
      target: null,
      details: { b: [1, { z: null, a: true }], a: 'x' },
      request_id: 'r',
      previous_hash,
    };
    previous_hash = hashEntry(content);
    chain.push({ ...content, hash: previous_hash });
  }
  return chain;
}

const chain = chainOf(5);
const changed = (index: number, change: Partial<ChainedEntry>) =>
  chain.map((entry, at) => (at === index ? { ...entry, ...change } : entry));
/** Recomputes the hashes, as a skilled attacker would. */
const rehashed = (index: number, change: Partial<ChainedEntry>) => {
  const { hash: _, ...content } = { ...(chain[index] as ChainedEntry), ...change };
  return changed(index, { ...change, hash: hashEntry(content) });
};
const head = { seq: 5, hash: chain[4]?.hash ?? '' };

test('[CON50] an intact chain or its later part, with members in any order: accepted', async () => {
  expect(await verifyChain(chain, { after: CHAIN_START, head })).toEqual({
    ok: true,
    entries: 5,
    first: 1,
    last: head,
  });
  const turned = chain.map(
    (entry) => Object.fromEntries(Object.entries(entry).reverse()) as unknown as ChainedEntry,
  );
  expect(await verifyChain(turned.slice(2))).toMatchObject({ ok: true, entries: 3, first: 3 });
  expect(await verifyChain([])).toMatchObject({ ok: true, entries: 0, first: null });
});

describe('[CON50] a broken chain: the first broken entry is reported', () => {
  test.each([
    ['a changed action', changed(2, { action: 'key.revoked' }), 3],
    ['a changed detail', changed(1, { details: { b: [1, { z: null, a: false }], a: 'x' } }), 2],
    ['a changed name', changed(0, { operator: { id: 'o', name: 'Eve' } }), 1],
    ['an added member', changed(3, { note: 'x' } as Partial<ChainedEntry>), 4],
    ['a changed entry with a new hash', rehashed(2, { target: 'other' }), 4],
    ['a removed entry', chain.filter(({ seq }) => seq !== 3), 4],
    ['two swapped entries', [0, 2, 1, 3, 4].map((at) => chain[at] as ChainedEntry), 3],
    ['a first entry that follows something', rehashed(0, { previous_hash: 'f'.repeat(64) }), 1],
    ['a removed end', chain.slice(0, 3), 4],
    ['a changed end with a new hash', rehashed(4, { target: 'other' }), 5],
  ])('%s', async (_, entries, seq) => {
    expect(await verifyChain(entries, { after: CHAIN_START, head })).toMatchObject({ ok: false, seq });
  });

  test('a removed start, with a known checkpoint', async () => {
    const after = { seq: 1, hash: chain[0]?.hash ?? '' };
    expect(await verifyChain(chain.slice(1), { after, head })).toMatchObject({ ok: true, entries: 4 });
    expect(await verifyChain(chain.slice(2), { after, head })).toMatchObject({ ok: false, seq: 3 });
  });
});
