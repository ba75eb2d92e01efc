import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#config.ts';
import type { Health } from '#console/contract/health.ts';
import { createMetrics } from '#http/metrics.ts';
import { createLogger } from '#lib/logger.ts';
import { startServer } from '#main.ts';
import { type BulkfillClient, openScene, type Scene } from '../support/bulkfill-client.ts';
import { rowpress } from '../support/cli.ts';
import { signedIn } from '../support/console-client.ts';

const HOUR_MS = 3_600_000;
/** How far the clock of the machine of each node is ahead. */
let aheadMs = 0;
const machineTime = { wall: () => Date.now() + aheadMs, monotonic: () => performance.now() };

let scene: Scene;
beforeAll(async () => {
  // Without a clock of the test, the server uses the database's.
  scene = await openScene({ surroundings: { clock: undefined, machineTime } as object });
});
afterAll(() => scene.server.stop());

const ready = async () => {
  const response = await fetch(`${scene.server.url}/readyz`);
  return [response.status, ((await response.json()) as { checks: Record<string, string> }).checks.clock];
};

function create(client: BulkfillClient, key: string) {
  return client.create({}, { key });
}

describe('a machine whose clock differs from the database', () => {
  it('[OPS91] the clock jumps 25 hours ahead: a live request key is replayed, not executed again', async () => {
    const key = randomUUID();
    const first = await create(scene.client, key);
    expect(first.status).toBe(200);
    aheadMs = 25 * HOUR_MS;
    try {
      const second = await create(scene.client, key);
      expect([second.body.job_id, second.headers.get('idempotent-replayed')]).toEqual([
        first.body.job_id,
        'true',
      ]);
      const fresh = await create(scene.client, randomUUID());
      expect(Math.abs(Date.parse(fresh.body.created_at) - Date.now())).toBeLessThan(HOUR_MS);
    } finally {
      aheadMs = 0;
    }
  });

  it('[OPS92] above 5 s: not ready, with the reason, until the clock is right', async () => {
    expect(await ready()).toEqual([200, 'ok']);
    aheadMs = -5_500;
    expect(await ready()).toEqual([
      503,
      expect.stringMatching(/^5\.\d s behind the database's; at most 5 s are allowed$/),
    ]);
    aheadMs = 0;
    expect(await ready()).toEqual([200, 'ok']);
  });

  it('[OPS92] above 60 s: does not start, and says what to do', async () => {
    const read = loadConfig({ ...scene.server.env });
    if (!read.ok) throw new Error(read.problems.join('; '));
    const log = createLogger({ level: 'silent', pretty: false });
    const ahead = { wall: () => Date.now() + 25 * HOUR_MS, monotonic: () => performance.now() };
    await expect(startServer(read.config, log, createMetrics(), { machineTime: ahead })).rejects.toThrow(
      /^The clock of this machine is 90000\.\d s ahead of the database's; at most 60 s are allowed\. Synchronize/,
    );
  });
});

it('[OPS93] the health page and doctor: list the nodes', async () => {
  const operator = await signedIn(scene.server);
  const { body } = await operator.get<Health>('/health');
  expect(body.outages).toEqual([]);
  expect(body.nodes).toMatchObject([
    {
      name: expect.stringMatching(`:${new URL(scene.server.url).port}$`),
      version: body.versions.rowpress,
      role: 'all',
      is_missing: false,
      workers: 1,
      problems: [],
    },
  ]);
  expect(Math.abs(body.nodes[0]?.skew_ms ?? 1e9)).toBeLessThan(5_000);
  const doctor = await rowpress(['doctor', '--json'], scene.server.env);
  expect(JSON.parse(doctor.stdout).checks).toContainEqual({
    name: `node ${body.nodes[0]?.name}`,
    state: 'ok',
    detail: expect.stringMatching(
      /^Rowpress \S+, role all, last heartbeat \d+ s ago, clock 0\.\d s (ahead of|behind) the database's$/,
    ),
  });
});
