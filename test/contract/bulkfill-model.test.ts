import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/bulkfill-client.ts';
import { Bill, commands, type Model } from '../support/bulkfill-model.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { quotaOf } from '../support/operator-views.ts';

let scene: Scene;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene();
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

it('[BF38][BF39][BF40][BF49][BF59] generated creates, polls, downloads, deletes and waits: the results of the model', async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(commands, async (chosen) => {
      const client = await scene.another();
      const model: Model = { jobs: [], keys: new Map(), billed: 0 };
      const { clock } = scene.server;
      const bill = new Bill(async () => (await quotaOf(operator, client.account.name)).used, clock);
      await fc.asyncModelRun(() => ({ model, real: { client, clock, bill } }), chosen);
      expect(await bill.total()).toBe(model.billed);
      steps += model.jobs.length;
    }),
    { numRuns: 20 },
  );
  expect(steps).toBeGreaterThan(40);
});
