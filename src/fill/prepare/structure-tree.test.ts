import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { structureProblems, unmarkedPainting } from '../../../test/support/structure-problems.ts';
import { taggedPdf } from '../../../test/support/tagged-source.ts';
import type { LayoutInput } from '../package/layout-schema.ts';

const box = { page: 1, width: 200, height: 40 } as const;
const overlays: LayoutInput['overlays'] = [
  { id: 'title', type: 'text', ...box, x: 72, y: 300, value: { column: 'column_0' } },
  { id: 'sign', type: 'sticker', ...box, x: 300, y: 500, label: 'Here' },
  { id: 'code', type: 'qr', ...box, x: 300, y: 300, height: 90, value: { static: 'abc' } },
  { id: 'tick', type: 'check', ...box, x: 72, y: 400, value: { static: 'yes' } },
];
const form_fields: LayoutInput['form_fields'] = [
  { id: 'n', field: 'name', value: { column: 'column_1' } },
  { id: 'a', field: 'agree', value: { static: 'yes' } },
  { id: 's', field: 'secret', value: { static: 'hidden' } },
];
const layout = { overlays, form_fields };

interface Node {
  readonly role?: string;
  readonly type?: string;
  readonly id?: string;
  readonly children?: readonly Node[];
}

/** The elements of the first page according to pdf.js, each with the texts of its content. */
async function spokenElements(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  try {
    const page = await (await task.promise).getPage(1);
    const texts = new Map<string, string>();
    const open: (string | null)[] = [];
    for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
      if ('str' in item) {
        const id = open.findLast((candidate) => candidate !== null);
        if (id !== undefined && id !== null) texts.set(id, (texts.get(id) ?? '') + item.str);
      } else if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.id ?? null);
    }
    const spoken: string[] = [];
    const visit = ({ role, children = [] }: Node): void => {
      const content = children.filter(({ type }) => type !== undefined);
      const words = content.map(({ type, id = '' }) => (type === 'content' ? (texts.get(id) ?? '') : type));
      if (content.length > 0) spoken.push(`${role}: ${words.join(' ').trim()}`.trim());
      for (const child of children) visit(child);
    };
    visit((await page.getStructTree()) as Node);
    return spoken;
  } finally {
    await task.destroy();
  }
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const prepareTagged = (flattenForms: boolean, includeStickers = true): Promise<PreparedFill> =>
  prepareForTest(taggedPdf(), layout, { flattenForms, includeStickers });

describe('a tagged document', () => {
  it('[FILL113] the source of these tests: valid, except for a sequence that is left open', async () => {
    expect(await structureProblems(taggedPdf())).toEqual([]);
  });

  it('[FILL113] overlays: each has an element with its content, and stickers are artifacts', async () => {
    const fill = await prepareTagged(false);
    const bytes = fill.pdf('Zoë', 'Ann');
    expect(await structureProblems(bytes)).toEqual([]);
    expect(await unmarkedPainting(bytes)).toEqual([0]);
    expect(await spokenElements(bytes)).toEqual([
      'P: ORIGINAL',
      'Link: LINK object',
      'Form: annotation',
      'Form: annotation',
      'Form: annotation',
      'Form: annotation',
      'P: Zoë',
      'P:',
      'P:',
    ]);
    expect(latin1(bytes)).toMatch(/\/Artifact BMC\n.*Here|\/Artifact BMC\n/);
    expect(latin1(bytes)).toContain('/Alt(Barcode)');
    expect(latin1(bytes)).toContain('/ActualText<feff2713>');
  });

  it('[FILL113] flattened fields: values belong to the elements of their widgets, and no element refers to a widget', async () => {
    const fill = await prepareTagged(true);
    const bytes = fill.pdf('Zoë', 'Ann');
    expect(await structureProblems(bytes)).toEqual([]);
    expect(await unmarkedPainting(bytes)).toEqual([0]);
    expect(await spokenElements(bytes)).toEqual([
      'P: ORIGINAL',
      'Link: LINK object',
      'Form: Ann',
      'Span: ON',
      'Form: Loose',
      'P: Zoë',
      'P:',
      'P:',
    ]);
    expect(latin1(bytes)).not.toMatch(/\/Subtype ?\/Widget/);
    expect(latin1(bytes)).toContain('/O /PrintField/Role /tv');
  });

  it('[FILL113] an overlay that one row omits: all rows are valid', async () => {
    const fill = await prepareTagged(true, false);
    expect(await structureProblems(fill.pdf('', ''))).toEqual([]);
    expect(await unmarkedPainting(fill.pdf('', ''))).toEqual([0]);
  });

  it('[FILL113] a document marked as tagged without a tree: gets one', async () => {
    const source = pagesPdf([{}, {}], undefined, '/MarkInfo<</Marked true>>');
    const fill = await prepareForTest(source, { overlays }, {});
    const bytes = fill.pdf('Zoë');
    expect(await structureProblems(bytes)).toEqual([]);
    expect(await spokenElements(bytes)).toEqual(['P: Zoë', 'P:', 'P:']);
  });

  it('[FILL113] a document without overlays: keeps its structure unchanged', async () => {
    const fill = await prepareForTest(taggedPdf(), {}, {});
    expect(await structureProblems(fill.pdf())).toEqual([]);
    expect(latin1(fill.base.bytes)).not.toContain('/MCR');
  });

  it('[FILL113] a document that is not tagged: gets no marked content', async () => {
    const fill = await prepareForTest(pagesPdf([{}]), { overlays }, { includeStickers: true });
    expect(latin1(fill.pdf('Zoë'))).not.toMatch(/BDC|BMC|StructParents|StructTreeRoot/);
  });
});
