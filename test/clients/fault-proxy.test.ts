import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { FAULTS, type Fault, type FaultReport, startFaultProxy } from '../support/fault-proxy.ts';

interface Arrival {
  readonly key: string;
  readonly bytes: number;
}

/** A server that records the requests that arrived completely, and answers with 64 kB. */
async function startTarget() {
  const arrived: Arrival[] = [];
  const server = createServer(async (req, res) => {
    const body = await buffer(req).catch(() => undefined);
    if (body === undefined) return;
    arrived.push({ key: String(req.headers['idempotency-key'] ?? ''), bytes: body.length });
    res.end('x'.repeat(65_536));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}

const attempt = async (url: string, key: string) => {
  const body = new Uint8Array(300_000);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body,
    // Ends a test that hangs; a stall ends by itself.
    signal: AbortSignal.timeout(60_000),
  });
  return (await response.text()).length;
};

/** How often the server receives a complete request, and whether the client receives its response. */
const EXPECTED: Record<Fault, { arrives: number; answered: boolean }> = {
  refuse: { arrives: 0, answered: false },
  'cut-upload': { arrives: 0, answered: false },
  'lose-response': { arrives: 1, answered: false },
  late: { arrives: 1, answered: false },
  'cut-response': { arrives: 1, answered: false },
  stall: { arrives: 1, answered: false },
  delay: { arrives: 1, answered: true },
  duplicate: { arrives: 2, answered: true },
};

test.each(FAULTS)('fault %s: reaches server and client as documented', async (fault) => {
  const target = await startTarget();
  const proxy = await startFaultProxy({
    target: target.url,
    rate: 1,
    faults: [fault],
    streak: 1,
    stallMs: 500,
  });
  onTestFinished(() => proxy.close());
  const outcome = await attempt(proxy.url, 'k').then(
    (length) => length === 65_536,
    () => false,
  );
  const { arrives, answered } = EXPECTED[fault];
  expect(outcome).toBe(answered);
  await expect.poll(() => target.arrived).toEqual(Array(arrives).fill({ key: 'k', bytes: 300_000 }));
  expect(proxy.report().counts[fault]).toBe(1);
  // After `streak` faults in a row the request passes.
  if (!answered) expect(await attempt(proxy.url, 'k')).toBe(65_536);
});

test('the proxy as a program: prints its address, reports counts and accepts settings', async () => {
  const target = await startTarget();
  const script = fileURLToPath(new URL('../support/fault-proxy.ts', import.meta.url));
  const args = ['--target', 'http://127.0.0.1:9', '--seed', '7', '--rate', '0'];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  await expect(attempt(url, 'a')).rejects.toThrow();
  const settings = { method: 'PUT', body: JSON.stringify({ target: target.url }) };
  const changed = (await (await fetch(`${url}/__faults`, settings)).json()) as FaultReport;
  expect(changed).toMatchObject({ requests: 1, unreachable: 1, settings: { seed: 7, target: target.url } });
  expect(await attempt(url, 'a')).toBe(65_536);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
