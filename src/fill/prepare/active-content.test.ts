import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import {
  HARMLESS_MARKS,
  HOSTILE_ACTIONS,
  hostilePdf,
  KEPT_ACTIONS,
  marksIn,
} from '../../../test/support/hostile-source.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { MergedPdf } from '../merge/merged-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';

const layout = { form_fields: [{ id: 'f', field: 'text0', value: { column: 'column_0' } }] };

async function filled(options: { flattenForms?: boolean; keepActions?: boolean }): Promise<Uint8Array> {
  return (await prepareForTest(hostilePdf(), layout, options)).pdf('Hello');
}

async function merged(): Promise<Uint8Array> {
  const { base, filler } = await prepareForTest(hostilePdf(), layout, { flattenForms: true });
  const file = new MergedPdf(base);
  for (const row of [1, 2]) file.add(filler, row, cellsOf('Hello'));
  return Buffer.concat([file.base, ...file.finish(nativeCodec)]);
}

const { links, document } = HARMLESS_MARKS;
const sorted = (...marks: string[]) => [...marks].sort();

describe('active content of a source', () => {
  it('the hostile source: has every action in every position', () => {
    const kinds = Object.keys(HOSTILE_ACTIONS);
    const marks = marksIn(hostilePdf());
    for (const place of ['link', 'nextArray', 'button', 'keystroke', 'outline', 'step', 'trigger'])
      expect(marks).toEqual(expect.arrayContaining(kinds.map((kind) => `EVIL-${place}-${kind}`)));
    expect(marks).toEqual(expect.arrayContaining([...links, ...document]));
  });

  it('[FILL44] [FILL190] a row: keeps all harmless links and no hostile action of its source', async () => {
    expect(marksIn(await filled({}))).toEqual(sorted(...links, ...document));
  });

  it('[FILL44] [FILL190] a flattened row: keeps all harmless links and no hostile action of its source', async () => {
    expect(marksIn(await filled({ flattenForms: true }))).toEqual(sorted(...links, ...document));
  });

  it('[FILL44] [FILL190] a merged file: keeps all harmless links and no hostile action of its source', async () => {
    expect(marksIn(await merged())).toEqual(sorted(...links, ...document));
  });

  it('[FILL191] the option to keep actions: keeps those of links, but no script or program', async () => {
    const marks = marksIn(await filled({ keepActions: true }));
    const onLinks = marks.filter((mark) => mark.startsWith('EVIL-link-'));
    expect(onLinks).toEqual(sorted(...KEPT_ACTIONS.map((kind) => `EVIL-link-${kind}`)));
    const kinds = new Set(
      marks.flatMap((mark) => /^EVIL-(?!media|xobject|base)\w+-(\w+)/.exec(mark)?.[1] ?? []),
    );
    expect([...kinds].sort()).toEqual(sorted(...KEPT_ACTIONS));
    const otherwise = marks.filter((mark) =>
      /^EVIL-(trigger|keystroke|parent|page|catalog|open|names)/.test(mark),
    );
    expect(otherwise).toEqual([]);
  });
});
