import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';
import { refuse } from '#bulkfill/errors.ts';
import { acceptMultipart, readMultipart } from '#http/multipart.ts';
import type { MultipartRefusal, TempFile, TempSink } from '#http/multipart-form.ts';
import type { RouteGroup } from '#http/route-group.ts';

export interface DirectorySink extends TempSink {
  /** Names of the files that currently exist. */
  list(): Promise<string[]>;
}

/** Temporary files in a separate directory, so that a test can count leftovers. */
export async function openDirectorySink(): Promise<DirectorySink> {
  const dir = await mkdtemp(join(tmpdir(), 'rp-upload-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  let made = 0;
  return {
    async receive(bytes): Promise<TempFile> {
      const path = join(dir, String(++made));
      const discard = () => rm(path, { force: true });
      try {
        await pipeline(Readable.from(bytes), createWriteStream(path));
      } catch (error) {
        await discard();
        throw error;
      }
      return { discard };
    },
    list: () => readdir(dir),
  };
}

function sayWhy(refusal: MultipartRefusal): Error {
  if (refusal.problem === 'malformed') return refuse('INVALID_MULTIPART', refusal.detail);
  const { field } = refusal;
  switch (refusal.problem) {
    case 'unknown':
      return refuse('UNKNOWN_FIELD', `The field ${field} is not known.`);
    case 'duplicate':
      return refuse('DUPLICATE_FIELD', `The field ${field} was sent more than once.`);
    case 'notText':
      return refuse('INVALID_FIELD', `The field ${field} is not UTF-8.`);
    case 'tooLarge':
      return refuse('PDF_TOO_LARGE', `The field ${field} is too large.`);
  }
}

/** A form with one file of at most 100 kB and one text of at most 20 bytes; responds with what it received. */
export function uploadSurface(sink: TempSink): RouteGroup {
  return {
    prefix: '/v1/bulkfill',
    plugin: async (app) => {
      await acceptMultipart(app);
      app.post('/uploads', { bodyLimit: 200_000 }, async (request) => {
        const form = await readMultipart(request, sink, {
          fields: { pdf: { kind: 'file', maxBytes: 100_000 }, percent: { kind: 'text', maxBytes: 20 } },
          refuse: sayWhy,
        });
        try {
          return Object.fromEntries([...form.parts].map(([name, part]) => [name, describe(part)]));
        } finally {
          await form.discard();
        }
      });
    },
  };
}

function describe(part: { kind: string; sha256: string } & Record<string, unknown>): object {
  const { file: _, ...rest } = part;
  return rest;
}
