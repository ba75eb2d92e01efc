import { expect, test } from 'vitest';
import type { Health } from '#console/contract/health.ts';
import { judge, sandboxText } from './health.ts';

const well: Health = {
  database: { version: '18.1', size_bytes: 1, connections: 3, max_connections: 100 },
  queues: [{ name: 'slice', depth: 0, oldest_seconds: 0 }],
  node: { role: 'all', workers: 2 },
  sandbox: { namespaces: true, seccomp: false },
  disk: { blob_count: 0, blob_bytes: 0, free_bytes: 90, total_bytes: 100, floor_bytes: 5 },
  memory_budget: { used_bytes: 0, total_bytes: 100 },
  prepared_bases: { count: 0, bytes: 0 },
  versions: { rowpress: '0.1.0', node: '24', postgres: '18.1' },
  uptime_seconds: 1,
  background_errors: [],
  expiring_keys: [],
};

test('the worst finding speaks', () => {
  expect(judge(well).tone).toBe('good');
  const failing = { ...well, background_errors: [{ kind: 'sweep', message: 'x', count: 1, last_at: '' }] };
  expect(judge(failing)).toMatchObject({ tone: 'warn', title: expect.stringContaining('Background') });
  const late = { ...failing, queues: [{ name: 'slice', depth: 9, oldest_seconds: 61 }] };
  expect(judge(late).title).toContain('slice');
  const full = { ...late, disk: { ...well.disk, free_bytes: 9 } };
  expect(judge(full)).toMatchObject({ tone: 'bad', title: expect.stringContaining('disk') });
});

test('a disk that cannot be measured is no cause for alarm', () => {
  expect(judge({ ...well, disk: { ...well.disk, free_bytes: null, total_bytes: null } }).tone).toBe('good');
});

test('[KEY27] keys that expire soon: a warning that names the next one', () => {
  const key = { id: 'k1', name: '', account: 'demo', surface: 'ingest', expires_at: '2026-01-01T00:00:00Z' };
  expect(judge({ ...well, expiring_keys: [key] })).toMatchObject({
    tone: 'warn',
    title: 'The key “k1” of demo expires soon',
  });
  const two = [{ ...key, name: 'Night batch' }, key];
  expect(judge({ ...well, expiring_keys: two }).title).toBe(
    '2 keys expire soon; the next is “Night batch” of demo',
  );
});

test('[SBX11] the layers of the sandbox: active ones first, then missing ones', () => {
  expect(sandboxText({ namespaces: true, no_new_privs: true })).toBe('namespaces, no new privs');
  expect(sandboxText({ namespaces: true, seccomp: false })).toBe('namespaces (without seccomp)');
  expect(sandboxText({ namespaces: false })).toBe("Only Node's permission model");
});
