import { expect, test } from 'vitest';
import type { Health } from '#console/contract/health.ts';
import {
  findingsOf,
  formatCapped,
  formatSkew,
  readReplicaText,
  replicationText,
  sandboxText,
} from './health.ts';

const well: Health = {
  database: { version: '18.1', size_bytes: 1, connections: 3, max_connections: 100 },
  replication: {
    mode: 'none',
    standbys: 0,
    waits: false,
    synchronous_commit: 'on',
    synchronous_standby_names: '',
  },
  read_replica: 'none',
  queues: [{ name: 'slice', depth: 0, oldest_seconds: 0 }],
  waiting_jobs: { count: 0, oldest_seconds: 0 },
  webhooks: { failing: 0, failing_since: null, given_up: 0, last_given_up_at: null },
  failed_jobs: [],
  node: { role: 'all', workers: 2 },
  nodes: [],
  outages: [],
  sandbox: { namespaces: true, seccomp: false },
  disk: { blob_count: 0, blob_bytes: 0, free_bytes: 90, total_bytes: 100, floor_bytes: 5 },
  memory_budget: { used_bytes: 0, total_bytes: 100 },
  prepared_bases: { count: 0, bytes: 0 },
  versions: { rowpress: '0.1.0', node: '24', postgres: '18.1' },
  started_at: '2026-01-01T00:00:00Z',
  uptime_seconds: 1,
  background_errors: [],
  expiring_keys: [],
};

const now = new Date('2026-01-01T12:00:00Z');
const titles = (health: Health) => findingsOf(health, now).map(({ tone, title }) => `${tone}: ${title}`);

test('[CON63] several problems: all are listed, the most severe first', () => {
  expect(titles(well)).toEqual(['good: No problems found']);
  const failing = { ...well, background_errors: [{ kind: 'sweep', message: 'x', count: 1, last_at: '' }] };
  expect(titles(failing)).toEqual(['warn: Background work failed in the last hour']);
  const late = { ...failing, queues: [{ name: 'slice', depth: 9, oldest_seconds: 61 }] };
  expect(titles(late)[0]).toBe('warn: Work has been waiting in the queue “slice” for 1 min 1 s');
  const full = { ...late, disk: { ...well.disk, free_bytes: 9 } };
  expect(titles(full)).toEqual(['bad: The disk is nearly full', ...titles(late)]);
});

test('[CON63] webhooks that fail or are given up: a finding with a link to the list', () => {
  const webhooks = { failing: 1, failing_since: '2026-01-01T09:00:00Z', given_up: 2, last_given_up_at: null };
  expect(findingsOf({ ...well, webhooks }, now)).toEqual([
    {
      tone: 'bad',
      title: '2 webhook deliveries were given up in the last 24 hours',
      advice: 'Fix the receiver, then redeliver the events.',
      link: { to: '/console/deliveries?state=exhausted', words: 'Show given-up deliveries' },
    },
    {
      tone: 'warn',
      title: '1 webhook delivery is failing',
      advice: 'The server retries automatically. The oldest has been failing for 3 h.',
      link: { to: '/console/deliveries?state=failing', words: 'Show failing deliveries' },
    },
  ]);
});

test('[CON63] failed jobs: a finding only if they are frequent; a job that waits for minutes: a finding', () => {
  const failed = {
    surface: 'bulkfill',
    failed: 8,
    recent: { settled: 40, failed: 8 },
    is_frequent: true,
    codes: [{ code: 'EXPORT_FAILED', count: 8 }],
  };
  expect(findingsOf({ ...well, failed_jobs: [failed] }, now)).toMatchObject([
    {
      tone: 'warn',
      title: '8 Bulk Fill jobs failed in the last 24 hours',
      advice: 'That is 20 % of the jobs that finished. The most frequent error is EXPORT_FAILED.',
      link: { to: '/console/jobs?state=failed&surface=bulkfill' },
    },
  ]);
  expect(titles({ ...well, failed_jobs: [{ ...failed, is_frequent: false }] })).toEqual(titles(well));
  const waiting_jobs = { count: 1000, oldest_seconds: 301 };
  expect(titles({ ...well, waiting_jobs })).toEqual([
    'warn: 1,000+ jobs are waiting, the oldest for 5 min 1 s',
  ]);
  expect([formatCapped(999), formatCapped(1000)]).toEqual(['999', '1,000+']);
});

test('[OPS93] a node that does not report or is not ready, and an outage: each is a finding', () => {
  const node = {
    id: 'n1',
    name: 'worker-1:8080',
    version: '0.1.0',
    role: 'worker',
    started_at: '2026-01-01T00:00:00Z',
    heartbeat_at: '2026-01-01T12:00:00Z',
    is_missing: false,
    skew_ms: 12,
    workers: 2,
    running: 0,
    load: 0.5,
    loop_delay_ms: 21,
    free_bytes: 90,
    problems: [],
  };
  expect(titles({ ...well, nodes: [node] })).toEqual(titles(well));
  const late = { ...node, problems: ["clock: 7.0 s ahead of the database's"] };
  const outages = [{ service: 'blobs', since: '2026-01-01T11:58:00Z' }];
  expect(titles({ ...well, outages, nodes: [late, { ...node, is_missing: true }] })).toEqual([
    'bad: The blob store is unavailable',
    'warn: The node worker-1:8080 is not ready',
    'warn: The node worker-1:8080 does not report',
  ]);
  expect([12.4, -700, 25_000].map(formatSkew)).toEqual(['+12 ms', '−700 ms', '+25.0 s']);
});

test('a disk that cannot be measured is no cause for alarm', () => {
  const disk = { ...well.disk, free_bytes: null, total_bytes: null };
  expect(titles({ ...well, disk })).toEqual(titles(well));
});

test('[KEY27] keys that expire soon: a warning that names the next one', () => {
  const key = { id: 'k1', name: '', account: 'demo', surface: 'ingest', expires_at: '2026-01-01T00:00:00Z' };
  expect(titles({ ...well, expiring_keys: [key] })).toEqual(['warn: The key “k1” of demo expires soon']);
  const two = [{ ...key, name: 'Night batch' }, key];
  expect(titles({ ...well, expiring_keys: two })).toEqual([
    'warn: 2 keys expire soon; the next is “Night batch” of demo',
  ]);
});

test('[SBX11] the layers of the sandbox: active ones first, then missing ones', () => {
  expect(sandboxText({ namespaces: true, no_new_privs: true })).toBe('namespaces, no new privs');
  expect(sandboxText({ namespaces: true, seccomp: false })).toBe('namespaces (without seccomp)');
  expect(sandboxText({ namespaces: false })).toBe("Only Node's permission model");
});

test('[OPS141] a read replica that cannot be used: a warning that says why', () => {
  const titles = (state: Health['read_replica']) =>
    findingsOf({ ...well, read_replica: state }, new Date()).map(({ tone, title }) => [tone, title]);
  expect(titles('used')).toEqual([['good', 'No problems found']]);
  expect(titles('behind')).toEqual([['warn', 'The read replica is behind the primary']]);
  expect(titles('unavailable')).toEqual([['warn', 'The read replica is unavailable']]);
  expect(titles('unrelated')).toEqual([['warn', 'The read replica is not a standby of the primary']]);
  expect([readReplicaText({ read_replica: 'none' }), readReplicaText({ read_replica: 'used' })]).toEqual([
    'None',
    'In use',
  ]);
});

test('[STO60] an asynchronous standby: a warning; a missing synchronous one: the first problem', () => {
  const titles = (replication: Partial<Health['replication']>) =>
    findingsOf({ ...well, replication: { ...well.replication, ...replication } }, new Date()).map(
      ({ tone, title }) => [tone, title],
    );
  expect(titles({ mode: 'synchronous', standbys: 1 })).toEqual([['good', 'No problems found']]);
  expect(titles({ mode: 'asynchronous', standbys: 1 })).toEqual([
    ['warn', 'Commits do not wait for the standby of the database'],
  ]);
  expect(titles({ mode: 'synchronous', waits: true })).toEqual([
    ['bad', 'The synchronous standby of the database is not connected'],
  ]);
  expect(replicationText({ ...well.replication, mode: 'synchronous', standbys: 1 })).toBe(
    'synchronous, 1 standby',
  );
  expect(replicationText(well.replication)).toBe('None');
});
