import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CrashNode } from '../support/crash-node.ts';
import { makeScene, type Scene } from '../support/crash-scene.ts';

function makeBlobRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'rp-crash-blobs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
const recordsIn = async ({ database }: Scene) => (await database.pool.query('select from blobs')).rows.length;

describe('killed with SIGKILL around the blob store', () => {
  const points = ['blob.before-rename', 'blob.after-rename'] as const;
  test.each(
    points.flatMap((point) => [
      { point, encryptBlobs: false },
      { point, encryptBlobs: true },
    ]),
  )(
    '[RET4] [SEC21] $point, encrypted: $encryptBlobs: a retry stores the blob, and the sweepers leave no orphan',
    async ({ point, encryptBlobs }) => {
      const scene = await makeScene();
      const { accountId } = scene;
      const node = { address: scene.address, workers: 0, blobs: makeBlobRoot(), encryptBlobs };
      const doomed = await CrashNode.start({ ...node, fault: { point, at: 1 } });
      expect(await doomed.ask({ do: 'put', accountId, content: 'hello' })).toBeUndefined();
      expect(await doomed.died).toBe('SIGKILL');
      const survivor = await CrashNode.start(node);
      const put = await survivor.ask<{ digest: string }>({ do: 'put', accountId, content: 'hello' });
      expect(put).toMatchObject({ size: 5 });
      expect(await survivor.ask({ do: 'read', name: put?.digest ?? '' })).toBe('hello');
      expect(filesIn(node.blobs)).toBe(point === 'blob.before-rename' ? 2 : 1);
      expect(await survivor.ask({ do: 'sweep' })).toMatchObject({
        blobs: 1,
        orphans: 0,
        temporary: point === 'blob.before-rename' ? 1 : 0,
      });
      expect([filesIn(node.blobs), await recordsIn(scene)]).toEqual([0, 0]);
      await survivor.stop();
      await scene.database.close();
    },
  );

  test.each(['sweep.after-condemned', 'sweep.after-record', 'sweep.after-files'] as const)(
    '[RET4] [BLB43] %s: a put stores the blob again, and the next sweep finishes what the killed one began',
    async (point) => {
      const scene = await makeScene();
      const { accountId, address } = scene;
      const blobs = makeBlobRoot();
      const doomed = await CrashNode.start({ address, workers: 0, blobs, fault: { point, at: 1 } });
      await doomed.ask({ do: 'put', accountId, content: 'hello' });
      await doomed.ask({ do: 'put', accountId, content: 'again' });
      expect(await doomed.ask({ do: 'sweep' })).toBeUndefined();
      const left = point === 'sweep.after-files' ? 0 : 2;
      expect([filesIn(blobs), await recordsIn(scene)]).toEqual([left, 2]);
      const survivor = await CrashNode.start({ address, workers: 0, blobs });
      const put = await survivor.ask<{ digest: string }>({ do: 'put', accountId, content: 'again' });
      expect(await survivor.ask({ do: 'read', name: put?.digest ?? '' })).toBe('again');
      expect(await survivor.ask({ do: 'sweep' })).toMatchObject({ blobs: 2, orphans: 0 });
      expect([filesIn(blobs), await recordsIn(scene)]).toEqual([0, 0]);
      await survivor.stop();
      await scene.database.close();
    },
  );
});
