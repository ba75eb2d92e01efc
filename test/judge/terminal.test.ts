import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, fill, layoutOf } from '../support/fill-cli.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { BIN, type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

/** Checks what a user sees: `script` runs the command on a pseudo-terminal and records its output. */
const missing = missingJudges('script');
if (missing.length > 0) console.log(`judges of the terminal skipped: ${missing.join(', ')} not installed`);

describe.skipIf(missing.length > 0)('rowpress fill on a terminal', () => {
  let sandbox: CliSandbox;
  const room = new JudgeRoom();
  const layout = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }]);
  beforeAll(async () => {
    sandbox = await cliSandbox();
    await fill(sandbox, { pdf: sourcePdf(), layout, rows: 'Ann\nBob\n' });
  });
  afterAll(async () => {
    room.close();
    await sandbox.remove();
  });
  const files = ['source.pdf', 'layout.json', 'rows.csv'] as const;
  const command = () => {
    const [pdf, plan, rows] = files.map((name) => sandbox.path(name));
    return `${BIN} fill --pdf ${pdf} --layout ${plan} --rows ${rows} -o ${sandbox.path('seen.zip')}`;
  };

  it('[FILL24] standard error on a terminal: a progress bar that reaches the end', () => {
    const seen = room.run('script', '-qec', command(), '/dev/null');
    expect(seen).toContain('100% | 2/2 rows');
    expect(seen).toContain('2 of 2 rows');
  });

  it('[FILL24] standard error that is not a terminal: no progress bar', () => {
    const { status, said } = room.try('sh', '-c', command());
    expect([status, said]).toEqual([0, expect.stringMatching(/^2 of 2 rows → \S+ \(\d+ bytes\)\n$/)]);
  });
});
