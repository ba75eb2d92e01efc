import { isMissing } from '#engine/nodes/heartbeat.ts';
import { describeSkew, MAX_SKEW_MS } from '#engine/nodes/node-clock.ts';
import type { Db } from '#storage/database.ts';
import { listNodes, type NodeRecord, readDatabaseTime } from '#storage/nodes.ts';
import { attempt, type Finding } from './finding.ts';

/** Lists the running nodes as their heartbeats report them. */
export async function examineNodes(db: Db): Promise<Finding[]> {
  try {
    const now = await readDatabaseTime(db);
    return (await listNodes(db)).map((node) => examineNode(node, now));
  } catch (error) {
    return [await attempt('nodes', () => Promise.reject(error))];
  }
}

function examineNode(node: NodeRecord, now: Date): Finding {
  const seconds = Math.max(0, Math.round((now.getTime() - node.heartbeat_at.getTime()) / 1000));
  const detail = `Rowpress ${node.version}, role ${node.role}, last heartbeat ${seconds} s ago, clock ${describeSkew(node.skew_ms)} the database's`;
  const finding = { name: `node ${node.name}`, detail };
  if (isMissing(node, now))
    return {
      ...finding,
      state: 'warning',
      advice: 'check that its process runs and reaches the database; the entry disappears after an hour',
    };
  if (Math.abs(node.skew_ms) > MAX_SKEW_MS)
    return { ...finding, state: 'warning', advice: 'synchronize the clocks of all machines (NTP)' };
  if (node.problems.length > 0)
    return { ...finding, state: 'warning', advice: `it is not ready: ${node.problems.join('; ')}` };
  return { ...finding, state: 'ok' };
}
