import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, layoutOf } from '../support/fill-cli.ts';
import { HARMLESS_MARKS, hostilePdf, marksIn } from '../support/hostile-source.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

/** Checks with qpdf which actions of a hostile source remain in the output: qpdf unpacks every object, reachable or not. */
const missing = missingJudges('qpdf');
if (missing.length > 0) console.log(`judges of actions skipped: ${missing.join(', ')} not installed`);

const room = new JudgeRoom();
let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(async () => {
  room.close();
  await sandbox.remove();
});

/** Returns the types of all actions and the markers, as qpdf writes the file out. */
function foundByQpdf(pdf: Uint8Array) {
  room.put('filled.pdf', pdf);
  expect(room.try('qpdf', '--check', 'filled.pdf')).toMatchObject({ status: 0 });
  room.run('qpdf', '--qdf', '--object-streams=disable', '--preserve-unreferenced', 'filled.pdf', 'plain.pdf');
  const bytes = room.read('plain.pdf');
  const text = Buffer.from(bytes).toString('latin1');
  const types = [...text.matchAll(/\/S \/(\w+)/g)].map(([, type]) => type);
  return { types: [...new Set(types)].sort(), marks: marksIn(bytes), text };
}

const ACTION_KEYS = /\/(AA|OpenAction|JavaScript|JS|XFA|RichMediaContent|RichMediaSettings|OnInstantiate)\b/;
const { links, document } = HARMLESS_MARKS;

describe.skipIf(missing.length > 0)('actions in the eyes of qpdf', () => {
  it.each([
    ['a row', []],
    ['a flattened row', ['--flatten-forms']],
  ])('[FILL44] [FILL190] %s: has the harmless actions alone', async (_, args) => {
    const { files } = await fill(sandbox, { pdf: hostilePdf(), layout: layoutOf([]), rows: 'Ada\n', args });
    const { types, marks, text } = foundByQpdf(files['row_1.pdf'] ?? new Uint8Array());
    expect(types).toEqual(['GoTo', 'ResetForm', 'URI']);
    expect(marks).toEqual([...links, ...document].sort());
    // The harmless XObject of the page is also called AA.
    expect(text.replaceAll(/\/AA \d+ 0 R/g, '')).not.toMatch(ACTION_KEYS);
  });

  it('[FILL44] [FILL190] a merged file: has the harmless actions alone', async () => {
    const args = ['--merge', 'all.pdf'];
    await fill(sandbox, { pdf: hostilePdf(), layout: layoutOf([]), rows: 'Ada\nBob\n', args });
    const { types, marks, text } = foundByQpdf(await sandbox.read('all.pdf'));
    expect(types).toEqual(['GoTo', 'ResetForm', 'URI']);
    expect(marks).toEqual([...links, ...document].sort());
    expect(text.replaceAll(/\/AA \d+ 0 R/g, '')).not.toMatch(ACTION_KEYS);
  });
});
