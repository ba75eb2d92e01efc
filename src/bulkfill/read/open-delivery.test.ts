import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setPrincipal } from '#http/principal.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { somebody } from '../../../test/support/http.ts';
import { encodeIndex } from '../artifact/artifact-index.ts';
import type { ArtifactParts } from '../export-input.ts';
import type { BulkfillParts } from '../parts.ts';
import { openArtifact } from './open-delivery.ts';

const digest = (letter: string) => letter.repeat(64);
const artifact: ArtifactParts = {
  base: digest('a'),
  slices: [{ blob: digest('b'), tailsLength: 4 }],
  index: digest('c'),
  manifest: { blob: digest('d'), plainLength: 2, crc32: 0 },
};

async function scene(budget: ByteBudget) {
  const { db } = await openTestDatabase();
  const sizes = { [artifact.base]: 1000, [artifact.index]: 100, [artifact.manifest.blob]: 10 };
  for (const [name, size] of Object.entries(sizes))
    await sql`insert into blobs (digest, size_bytes, last_put_at) values (${name}, ${size}, now())`.execute(
      db,
    );
  const bytes: Record<string, Buffer> = {
    [artifact.index]: encodeIndex([{ name: 'row_7.pdf', tailLength: 4, crc32: 0 }], [7]),
    [artifact.manifest.blob]: Buffer.from('{}'),
    [artifact.slices[0]?.blob ?? '']: Buffer.from('tail'),
  };
  const template = {
    base: new SharedArrayBuffer(4),
    deflated: new Uint8Array(1),
  };
  new Uint8Array(template.base).set(Buffer.from('base'));
  let loaded = false;
  const parts = {
    db,
    budget,
    blobs: {
      readAll: async (name: string) => bytes[name] ?? Buffer.alloc(0),
      async *read(name: string, { start, end }: { start: number; end: number }) {
        yield (bytes[name] ?? Buffer.alloc(0)).subarray(start, end);
      },
    },
    templates: {
      isLoaded: () => loaded,
      load: async () => {
        loaded = true;
        return template;
      },
    },
  } as unknown as BulkfillParts;
  const open = () => {
    const request = {} as FastifyRequest;
    setPrincipal(request, somebody);
    const raw = new EventEmitter();
    const reply = { raw } as unknown as FastifyReply;
    return { raw, opened: openArtifact(parts, request, reply, { parts: artifact }) };
  };
  return { open };
}

test('[LIM46] an artifact being read: uses the memory budget until the response is closed', async () => {
  const budget = new ByteBudget(10_000);
  const { open } = await scene(budget);
  const first = open();
  const { artifact: reader } = await first.opened;
  expect(budget.usedBytes).toBe(2 * 1000 + 6 * 100 + 10);
  // The template is now in memory and shared.
  const second = open();
  await second.opened;
  expect(budget.usedBytes).toBe(2610 + 610);
  const pdf = reader.row(7);
  const pieces: Buffer[] = [];
  for await (const piece of pdf?.bytes() ?? []) pieces.push(Buffer.from(piece));
  expect(pdf?.length).toBe(8);
  expect(Buffer.concat(pieces).toString()).toBe('basetail');
  expect(reader.row(8)).toBeUndefined();
  first.raw.emit('close');
  second.raw.emit('close');
  expect(budget.usedBytes).toBe(0);
});

test('[LIM46] an artifact while the budget is used up: rejected with a retryable error', async () => {
  const budget = new ByteBudget(10_000);
  const { open } = await scene(budget);
  budget.reserve('another account', 9000);
  const { raw, opened } = open();
  expect(faultOf(await opened.catch((error: unknown) => error))).toBe('unavailable');
  raw.emit('close');
  expect(budget.usedBytes).toBe(9000);
});
