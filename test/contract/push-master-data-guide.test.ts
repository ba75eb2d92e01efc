import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startIngest } from '../support/ingest.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/push-master-data.md'), 'utf8');

/** Runs the guide's commands in one shell, as a reader types them; a mark separates the output of the blocks. */
function script(): string {
  const blocks = [...guide.matchAll(/<!-- run -->\s+```sh\n(?<code>[\s\S]*?)```/g)];
  return blocks.map(({ groups }) => `${groups?.code}\necho; echo ====`).join('\n');
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

test.skipIf(!hasCurl)(
  '[ING6] [ING13] [ING15] [ING20] the commands of the guide: do what it says',
  async () => {
    const scene = await startIngest();
    const { key } = await scene.client({ partner: 'ERP-TENANT-7' });
    const cwd = await mkdtemp(join(tmpdir(), 'rp-guide-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      ROWPRESS_URL: scene.url,
      ROWPRESS_KEY: key,
    };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script()], {
      cwd,
      env,
      timeout: 90_000,
    });
    const [batch, retry, fresh, redriven, bulk, trial, look] = stdout
      .split('\n====\n')
      .map((text) => text.trim());
    expect(batch).toMatch(
      /"status":"ACCEPTED".*"SKU-1","status":"ACCEPTED".*"SKU-2","status":"QUARANTINED"/s,
    );
    expect(batch?.endsWith(retry ?? ' ')).toBe(true);
    expect(fresh).toMatch(/"SKU-1","status":"REPLAY".*"SKU-2","status":"ACCEPTED"/s);
    expect(redriven).toContain('{"data":[],"next_cursor":null}');
    expect(bulk).toMatch(/"status":"COMPLETED".*"accepted":20000/);
    expect(bulk?.split('\n').at(-1)).toBe('0');
    expect(trial).toMatch(/"tombstoned":1.*"validate_only":true/);
    expect(look).toMatch(/"source_id":"SKU-2".*"state":"ACTIVE"/);
    expect(look?.match(/"change":"CREATED"/g)).toHaveLength(1);
    expect(scene.errors).toEqual([]);
  },
);
