import { expect, it, vi } from 'vitest';
import type { RunningJob, RunSubject } from './run-store.ts';

/** A stream whose events the test sends. */
class ScriptedEvents {
  static latest: ScriptedEvents | undefined;
  readonly #listeners = new Map<string, (event: { data: string }) => void>();
  constructor() {
    ScriptedEvents.latest = this;
  }
  addEventListener(name: string, listener: (event: { data: string }) => void): void {
    this.#listeners.set(name, listener);
  }
  close(): void {}
  send(name: string, rowsDone: number): void {
    const data = JSON.stringify({ rows_total: 2, rows_done: rowsDone, rows_failed: 0 });
    this.#listeners.get(name)?.({ data });
  }
}

const job: RunningJob = {
  id: 'first',
  account: 'a',
  total: 2,
  isGrouped: false,
  done: 0,
  failed: 0,
  rows: [[1, 2]],
  rowsName: 'people.csv',
  retryOf: null,
  requestKey: null,
  since: null,
  rowsPerSecond: null,
};
const subject = (projectName: string) => ({ projectId: 'p', projectName }) as RunSubject;

it('[EDT1] a run that ends while the next one is sent: is not shown as the next one', async () => {
  const requests = vi.fn(async () => Response.json({ status: 'completed', rows: {}, data: [] }));
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' });
  vi.stubGlobal('EventSource', ScriptedEvents);
  vi.stubGlobal('fetch', requests);
  const { followJob } = await import('./follow-job.ts');
  const { beginRun, showStage, useRun } = await import('./run-store.ts');
  beginRun(subject('before the change'));
  followJob(job);
  expect(useRun.getState().stage.at).toBe('running');

  beginRun(subject('after the change'));
  showStage({ at: 'sending', label: 'Preparing' });
  ScriptedEvents.latest?.send('progress', 1);
  expect(useRun.getState().stage.at).toBe('sending');
  ScriptedEvents.latest?.send('settled', 2);
  // Its result is read for the history all the same.
  await vi.waitFor(() => expect(requests.mock.calls.length).toBeGreaterThanOrEqual(3), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(useRun.getState().stage.at).toBe('sending');
});
