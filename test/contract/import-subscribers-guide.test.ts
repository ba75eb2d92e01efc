import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openScene } from '../support/subscribers-scene.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/import-subscribers.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)(
  '[SUB11] [SUB29] [SUB40] [SUB52] the commands of the guide: do what it says',
  async () => {
    const { node } = await openScene();
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      ROWPRESS_URL: node.url,
      ROWPRESS_KEY: await node.newKey('guide'),
      ROWS: '2000',
    };
    const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
    const code = blocks.map(({ groups }) => groups?.code ?? '');
    // The last block says that it can be run again.
    const script = [...code, code.at(-1)].map((block) => `${block}\necho; echo ====`).join('\n');
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd, env, timeout: 90_000 });
    const [upload, replay, ended, exported, loaded, again] = stdout
      .split('\n====\n')
      .map((text) => text.trim());
    expect(upload).toMatch(/"status":"Ready".*"proposed_mappings":\[\{"csv_column":"Email"/);
    expect(replay).toMatch(/^HTTP\/1\.1 202[\s\S]*^idempotent-replayed: true/im);
    expect(ended).toMatch(/event: completed\ndata: .*"created_count":1.*"failed_count":1/);
    expect(ended).toMatch(/^3,Country,Narnia,.*,bob@example\.com,Bob,Narnia$/m);
    expect(exported).toMatch(/^email,name,.*\s+ann@example\.com,Ann Lee,Active,DE,.*,Spring$/m);
    expect(loaded).toMatch(/"status":"Completed".*"created_count":2000/);
    expect(again).toBe(loaded);
    expect(node.errors).toEqual([]);
  },
);
