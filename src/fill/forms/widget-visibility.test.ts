import { describe, expect, it } from 'vitest';
import { PdfBuilder } from '../../../test/support/pdf-builder.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { isDisplayed, isEverSeen, isPrinted } from './widget-visibility.ts';

const [HIDDEN, PRINT, NO_VIEW] = [2, 4, 32] as const;

/** Text fields and push buttons, each with a picture that shows its name. */
function flaggedForm(widgets: readonly { name: string; flags?: number; button?: boolean }[]): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, tree, page] = [pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  const list = widgets
    .map(({ name, flags, button }, index) => {
      const picture = pdf.add(
        `<</BBox[0 0 200 20]/Resources<</Font<</F ${font} 0 R>>>>>>`,
        `BT /F 12 Tf 2 5 Td (${name}) Tj ET`,
      );
      const kind = button === true ? '/FT/Btn/Ff 65536' : `/FT/Tx/V(${name})/DA(/F 12 Tf 0 g)`;
      const rect = `/Rect[50 ${700 - index * 30} 250 ${720 - index * 30}]`;
      const shown = flags === undefined ? '' : `/F ${flags}`;
      return pdf.add(
        `<</Type/Annot/Subtype/Widget${kind}/T(${name})${rect}${shown}/AP<</N ${picture} 0 R>>>>`,
      );
    })
    .map((num) => `${num} 0 R`)
    .join(' ');
  pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]/Annots[${list}]>>`);
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/AcroForm<</DR<</Font<</F ${font} 0 R>>>>/Fields[${list}]>>>>`,
  );
  return pdf.build(root);
}

async function shownWhenFlat(source: Uint8Array, mapped: readonly string[] = []): Promise<string[]> {
  const form_fields = mapped.map((field) => ({ id: field, field, value: { static: `new-${field}` } }));
  const fill = await prepareForTest(source, { form_fields }, { flattenForms: true });
  const [text = ''] = await pageTexts(fill.pdf());
  return text.split(' ').filter((word) => word !== '');
}

describe('widget flags', () => {
  it.each([
    [0, false, true, true],
    [PRINT, true, true, true],
    [HIDDEN, false, false, false],
    [HIDDEN | PRINT, false, false, false],
    [NO_VIEW, false, false, false],
    [NO_VIEW | PRINT, true, false, true],
  ])('[FILL112] flags %i: printed %s, displayed %s, ever seen %s', (flags, printed, displayed, seen) => {
    expect([isPrinted(flags), isDisplayed(flags), isEverSeen(flags)]).toEqual([printed, displayed, seen]);
  });
});

describe('a flattened form', () => {
  it('[FILL112] widgets that print: kept, even if not displayed; screen-only buttons and hidden widgets are not', async () => {
    const source = flaggedForm([
      { name: 'visible', flags: PRINT },
      { name: 'hidden', flags: PRINT | HIDDEN },
      { name: 'paper', flags: PRINT | NO_VIEW },
      { name: 'nowhere', flags: NO_VIEW },
      { name: 'hint', flags: 0 },
      { name: 'unset' },
      { name: 'Reset', flags: 0, button: true },
      { name: 'Print', button: true },
      { name: 'Logo', flags: PRINT, button: true },
    ]);
    expect(await shownWhenFlat(source)).toEqual(['visible', 'paper', 'Logo']);
  });

  it('[FILL112] a displayed mapped field with or without Print: kept', async () => {
    const names = ['visible', 'hint', 'hidden', 'paper', 'nowhere'];
    const source = flaggedForm([
      { name: 'visible', flags: PRINT },
      { name: 'hint' },
      { name: 'hidden', flags: HIDDEN },
      { name: 'paper', flags: PRINT | NO_VIEW },
      { name: 'nowhere', flags: NO_VIEW },
    ]);
    expect(await shownWhenFlat(source, names)).toEqual(['new-visible', 'new-hint', 'new-paper']);
  });

  it('[FILL112] a form without any Print flag: displayed fields are kept, push buttons are not', async () => {
    const source = flaggedForm([
      { name: 'first' },
      { name: 'second', flags: 0 },
      { name: 'hidden', flags: HIDDEN },
      { name: 'Reset', button: true },
      { name: 'Logo', flags: PRINT, button: true },
    ]);
    expect(await shownWhenFlat(source)).toEqual(['first', 'second', 'Logo']);
  });
});
