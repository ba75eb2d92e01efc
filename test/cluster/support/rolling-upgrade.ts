import type { Load } from './load.ts';
import type { Scene } from './scene.ts';
import { waitUntil } from './wait-until.ts';

export interface Upgrade {
  /** The commands of both releases. */
  readonly from: string;
  readonly to: string;
  /** Which of them all nodes run at the end. */
  readonly end: 'from' | 'to';
  /** Runs while the first node of the newer release starts, which migrates the schema. */
  readonly whileMigrating?: () => Promise<void>;
}

/**
 * Replaces api2 and worker2 with the newer release, lets both releases work side by side, and restarts api1 and worker1 with the
 * older release on the newer schema. In between, each release runs jobs that the other one has accepted.
 */
export async function upgradeInTurn(scene: Scene, load: Load, upgrade: Upgrade): Promise<void> {
  const { stack, callers } = scene;
  const { from, to, end, whileMigrating = async () => {} } = upgrade;
  /** Accepts a job at one api node, replays it at the other, and waits until the workers that run have finished it. */
  const completes = async (accepting: 'api1' | 'api2', what: string) => {
    const replaying = accepting === 'api1' ? 'api2' : 'api1';
    const id = await load.createAt(stack.urlOf(accepting), stack.urlOf(replaying));
    await waitUntil(what, 120, async () => {
      return (await callers.of.bulkfill.patient.bulkfill.get(id)).status === 'completed';
    });
  };

  await Promise.all([stack.restartNode('api2', to), whileMigrating()]);
  await completes('api1', 'an older worker runs a job of the older api node');
  await completes('api2', 'an older worker runs a job of the newer api node');
  await Promise.all([stack.restartNode('worker2', to), stack.stopProgram('worker1')]);
  await completes('api1', 'the newer worker runs a job of the older api node');
  await Promise.all([
    stack.startNode('worker1', from),
    stack.restartNode('worker2', from),
    stack.restartNode('api1', from),
  ]);
  await completes('api2', 'a restarted older worker runs a job of the newer api node');
  await completes('api1', 'a restarted older worker runs a job of the restarted older api node');

  const others = ['api1', 'worker1', 'worker2'] as const;
  if (end === 'from') await stack.restartNode('api2', from);
  else await Promise.all(others.map((name) => stack.restartNode(name, to)));
}
