import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/bulkfill-client.ts';
import { commands, type Model } from '../support/bulkfill-model.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.server.stop());

it('[BF38][BF39][BF40][BF49][BF59] any order of creates, polls, downloads, releases and hours is what the model says', async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const client = await scene.another();
      const model: Model = { jobs: [], keys: new Map(), billed: 0 };
      await fc.asyncModelRun(() => ({ model, real: { client, clock: scene.server.clock } }), chosen);
      const ledger = await scene.server.pool.query<{ billed: number }>(
        'select coalesce(sum(billed_rows), 0)::int as billed from quota_ledger where account_id = $1',
        [client.account.id],
      );
      expect(ledger.rows).toEqual([{ billed: model.billed }]);
      steps += model.jobs.length;
    }),
    { numRuns: 20 },
  );
  expect(steps).toBeGreaterThan(40);
});
