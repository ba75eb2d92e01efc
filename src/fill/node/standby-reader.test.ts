import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { sourcePdf } from '../../../test/support/source-pdf.ts';
import { DEFAULT_PARSE_LIMITS, inspectInChild } from './prepare-in-child.ts';
import { StandbyReader } from './standby-reader.ts';

const LIST = `/proc/${process.pid}/task/${process.pid}/children`;
const children = () => readFileSync(LIST, 'utf8').trim().split(' ').filter(Boolean).map(Number);

async function until(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !happened(); turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

test.runIf(existsSync(LIST))('[FILL45] a standby reader that was killed: not used', async () => {
  const before = children();
  const standby = new StandbyReader();
  onTestFinished(() => standby.close());
  const [waiting] = children().filter((pid) => !before.includes(pid));
  process.kill(waiting ?? 0, 'SIGKILL');
  await until(() => !children().includes(waiting ?? 0));
  const inspected = await inspectInChild(sourcePdf(), DEFAULT_PARSE_LIMITS, standby.take());
  expect(inspected).toMatchObject({ ok: true, metadata: { page_count: 1 } });
});

test.runIf(existsSync(LIST))(
  '[OPS45] a standby reader that nobody takes: ends, and the next source gets its own',
  async () => {
    const before = children();
    const standby = new StandbyReader({ keepMs: 1 });
    onTestFinished(() => standby.close());
    const [waiting] = children().filter((pid) => !before.includes(pid));
    expect(waiting).toBeGreaterThan(0);
    await until(() => !children().includes(waiting ?? 0));
    expect(children()).not.toContain(waiting);
    const inspected = await inspectInChild(sourcePdf(), DEFAULT_PARSE_LIMITS, standby.take());
    expect(inspected).toMatchObject({ ok: true, metadata: { page_count: 1 } });
  },
);
