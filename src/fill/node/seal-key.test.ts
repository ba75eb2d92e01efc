import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadSealKey, SEAL_KEY_FILE, trustedKeys } from './seal-key.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rowpress-seal-'));
});
afterEach(() => rm(root, { recursive: true }));

const settings = (members: object = {}) => ({
  dataDir: join(root, 'data'),
  sealKey: undefined,
  trustedSeals: [],
  ...members,
});

describe('[PKG8] the seal key', () => {
  it('first use: creates a key that only its owner can read and that does not change', async () => {
    const first = await loadSealKey(settings());
    expect(first).toMatchObject({ ok: true, created: true });
    const path = join(root, 'data', SEAL_KEY_FILE);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await readdir(join(root, 'data'))).toEqual([SEAL_KEY_FILE]);
    const second = await loadSealKey(settings());
    expect(second).toMatchObject({ ok: true, created: false, publicKey: first.ok && first.publicKey });
  });

  it('several processes that start at once: use one key', async () => {
    const loaded = await Promise.all(Array.from({ length: 20 }, () => loadSealKey(settings())));
    expect(new Set(loaded.map((key) => key.ok && key.publicKey)).size).toBe(1);
    expect(loaded.filter((key) => key.ok && key.created)).toHaveLength(1);
  });

  it('a configured key, in hex or base64: used without creating a file', async () => {
    const bytes = Buffer.alloc(32, 5);
    const hex = await loadSealKey(settings({ sealKey: bytes.toString('hex') }));
    const base64 = await loadSealKey(settings({ sealKey: ` ${bytes.toString('base64')}\n` }));
    expect(hex).toMatchObject({ ok: true, created: false });
    expect(base64).toEqual(hex);
    expect(await readdir(root)).toEqual([]);
    expect(await loadSealKey(settings({ sealKey: 'short' }))).toMatchObject({ ok: false });
  });

  it('trusted keys: the own key and those that the operator adds; reading them creates no key', async () => {
    const other = '0a'.repeat(32);
    expect(await trustedKeys(settings({ trustedSeals: [other.toUpperCase()] }))).toEqual({
      ok: true,
      keys: [other],
    });
    expect(await readdir(root)).toEqual([]);
    const own = await loadSealKey(settings());
    expect(await trustedKeys(settings({ trustedSeals: [other] }))).toEqual({
      ok: true,
      keys: [own.ok && own.publicKey, other],
    });
    expect(await trustedKeys(settings({ trustedSeals: ['nonsense'] }))).toMatchObject({ ok: false });
  });
});
