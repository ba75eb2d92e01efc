import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { Services, type ServicesTiming } from './services.ts';

const FAST: ServicesTiming = { probeMs: 1_000, firstPauseMs: 1, maxPauseMs: 5 };

function scene(timing: ServicesTiming = FAST) {
  let isDown = false;
  let probes = 0;
  const lines: string[] = [];
  const services = new Services({
    probes: {
      database: async () => {},
      blobs: async () => {
        probes += 1;
        if (isDown) throw new Error('the store is down');
      },
    },
    clock: systemClock,
    timing,
    onBegin: ({ service }, error) => lines.push(`begin ${service}: ${(error as Error).message}`),
    onEnd: ({ service }) => lines.push(`end ${service}`),
  });
  onTestFinished(() => services.close());
  const setDown = (down: boolean) => {
    isDown = down;
  };
  return { services, lines, setDown, probes: () => probes };
}

test('[JOB21] an outage: begins and ends once, however often work fails meanwhile', async () => {
  const { services, lines, setDown } = scene();
  expect(await services.check()).toBe(true);
  setDown(true);
  expect(await Promise.all([services.check(), services.check()])).toEqual([false, false]);
  expect(await services.check()).toBe(false);
  expect(await services.check(['database'])).toBe(true);
  expect(services.outages).toMatchObject([{ service: 'blobs' }]);
  setDown(false);
  await services.available(['blobs']);
  expect(services.outages).toEqual([]);
  expect(lines).toEqual(['begin blobs: the store is down', 'end blobs']);
});

test('[JOB21] a service that does not respond: probed with growing pauses', async () => {
  const { services, setDown, probes } = scene({ probeMs: 1_000, firstPauseMs: 1, maxPauseMs: 60_000 });
  setDown(true);
  await services.check();
  // The pauses double: after 1 + 2 + … + 128 ms there have been at most nine probes.
  await new Promise((resolve) => setTimeout(resolve, 255));
  expect(probes()).toBeGreaterThan(1);
  expect(probes()).toBeLessThanOrEqual(9);
});

test('[JOB21] a service that accepts the call and never responds: an outage', async () => {
  const services = new Services({
    probes: { database: async () => {}, blobs: () => new Promise(() => {}) },
    clock: systemClock,
    timing: { ...FAST, probeMs: 10 },
    onBegin: () => {},
    onEnd: () => {},
  });
  onTestFinished(() => services.close());
  expect(await services.check()).toBe(false);
});

test('[JOB21] a wait during an outage: ends when the caller leaves or the process stops', async () => {
  const { services, setDown } = scene({ ...FAST, firstPauseMs: 60_000, maxPauseMs: 60_000 });
  setDown(true);
  await services.check();
  const leave = new AbortController();
  const left = services.available(['blobs'], leave.signal);
  leave.abort();
  await left;
  const waiting = services.available(['blobs']);
  services.close();
  await waiting;
  expect(await services.check()).toBe(true);
});
