import { describe, expect, it } from 'vitest';
import { detectedOn, flatForm, print } from '../../../../test/support/flat-form.ts';
import { type Proposal, rectsOf } from './proposal.ts';

const detected = (...content: readonly string[]) => detectedOn(flatForm(content));
const brief = (proposals: readonly Proposal[]) =>
  proposals.map((proposal) => `${proposal.kind} ${proposal.name}`);
const roundedRects = (proposals: readonly Proposal[]) =>
  proposals.map((proposal) =>
    rectsOf(proposal).map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)),
  );
/** A paragraph of long lines, as instructions have them. */
const prose = Array.from({ length: 14 }, (_, line) =>
  print.text(72, 400 + 14 * line, 'This line of the instructions is long enough to be part of a paragraph.'),
);

describe('boxes', () => {
  it('[EDT81] a box with a label before or above it: is a text field with the name of the label', async () => {
    const found = await detected(
      print.text(72, 100, '3.a. Family name:'),
      print.box(170, 88, 200, 18),
      print.text(72, 140, 'Street and number'),
      print.box(72, 145, 298, 20),
    );
    expect(brief(found)).toEqual(['text Family name', 'text Street and number']);
    expect(roundedRects(found)).toEqual([[[170, 88, 200, 18]], [[72, 145, 298, 20]]]);
  });

  it('[EDT81] a table cell with its label inside: the part below the label is the field', async () => {
    const found = await detected(
      print.line(72, 100, 472),
      print.line(72, 130, 472),
      print.line(72, 100, 72, 130),
      print.line(272, 100, 272, 130),
      print.line(472, 100, 472, 130),
      print.text(75, 108, 'City', 7),
      print.text(275, 108, 'Postal code', 7),
    );
    expect(brief(found)).toEqual(['text City', 'text Postal code']);
    for (const [rect] of roundedRects(found)) {
      expect(rect?.[1]).toBeGreaterThanOrEqual(108);
      expect((rect?.[1] ?? 0) + (rect?.[3] ?? 0)).toBe(130);
    }
  });

  it('[EDT81] white boxes on a tint and boxes with rounded corners: are found; a shaded heading is not', async () => {
    const rounded =
      '0.5 w 106 600 m 294 600 l 297 600 300 603 300 606 c 300 614 l 300 617 297 620 294 620 c 106 620 l 103 620 100 617 100 614 c 100 606 l 100 603 103 600 106 600 c h S';
    const found = await detected(
      print.filled(72, 60, 400, 80, 0.8),
      print.filled(100, 90, 150, 20, 1),
      print.text(100, 86, 'Given name'),
      rounded,
      print.text(100, 168, 'Surname'),
      print.filled(72, 300, 300, 16, 0.85),
      print.text(76, 312, 'Part 2. Your address'),
    );
    expect(brief(found)).toEqual(['text Given name', 'text Surname']);
  });

  it('[EDT81] a frame around other fields, and a table of printed text on a page of prose: are no fields', async () => {
    const framed = await detected(
      print.box(60, 60, 400, 200),
      print.text(72, 100, 'Name'),
      print.box(120, 88, 200, 18),
    );
    expect(brief(framed)).toEqual(['text Name']);
    const table = await detected(
      ...prose,
      print.box(72, 100, 200, 40),
      print.text(75, 110, 'Individual', 8),
      print.box(272, 100, 200, 40),
      print.text(275, 110, 'Sole proprietor', 8),
    );
    expect(table).toEqual([]);
  });
});

describe('lines to write on', () => {
  it('[EDT82] underscores and dotted lines: are text fields above the line', async () => {
    const found = await detected(
      print.text(72, 100, 'Name: ______________________ Date: ____________'),
      print.text(72, 140, 'Place'),
      print.dotted(110, 140, 300),
      print.text(72, 180, 'Phone ..............................'),
    );
    expect(brief(found)).toEqual(['text Name', 'text Date', 'text Place', 'text Phone']);
    const [name] = found[0] === undefined ? [] : rectsOf(found[0]);
    expect((name?.y ?? 0) + (name?.height ?? 0)).toBeCloseTo(101.6, 0);
  });

  it('[EDT82] a drawn line: is a field if a label leads to it or stands below it, not as a separator', async () => {
    const found = await detected(
      print.text(72, 100, 'Signature'),
      print.line(130, 101, 330),
      print.line(72, 200, 272),
      print.text(72, 208, 'Place and date', 7),
      print.line(72, 300, 540),
      print.text(72, 330, 'Next section', 12),
    );
    expect(brief(found)).toEqual(['text Signature', 'text Place and date']);
  });

  it('[EDT82] several labels spread below one line: divide it; labels at its start do not', async () => {
    const line = '_'.repeat(60);
    const found = await detected(
      print.text(72, 100, line),
      print.text(72, 109, 'City', 7),
      print.text(250, 109, 'State', 7),
      print.text(330, 109, 'ZIP code', 7),
      print.text(72, 160, line),
      print.text(72, 169, 'Number', 7),
      print.text(110, 169, 'Street', 7),
    );
    expect(brief(found)).toEqual(['text City', 'text State', 'text ZIP code', 'text Number']);
  });

  it('[EDT82] underlined text: is not a field', async () => {
    expect(await detected(print.text(72, 100, 'Important notice'), print.line(72, 102, 150))).toEqual([]);
  });
});

describe('combs', () => {
  it('[EDT83] touching cells, a box with ticks, and a row of dashes: are combs with their number of cells', async () => {
    const cells = Array.from({ length: 6 }, (_, at) => print.box(150 + 16 * at, 88, 16, 18));
    const ticks = Array.from({ length: 7 }, (_, at) =>
      print.line(150 + 20 * (at + 1), 150, 150 + 20 * (at + 1), 156),
    );
    const found = await detected(
      print.text(72, 100, 'Customer no.'),
      ...cells,
      print.text(72, 150, 'Account'),
      print.box(150, 138, 160, 18),
      ...ticks,
      print.text(72, 200, 'Last digits'),
      ...[0, 1, 2, 3].map((at) => print.text(150 + 16 * at, 200, '__')),
    );
    expect(found.map((one) => [one.kind, one.name, one.kind === 'comb' ? one.cells : 0])).toEqual([
      ['comb', 'Customer no', 6],
      ['comb', 'Account', 8],
      ['comb', 'Last digits', 4],
    ]);
  });
});

describe('boxes to tick', () => {
  it('[EDT84] small squares: are check boxes with the size of the printed box and the text after them', async () => {
    const found = await detected(
      print.box(72, 91, 10, 10),
      print.text(88, 100, 'Newsletter'),
      print.box(72, 131, 10, 10),
      print.text(88, 140, 'Catalogue'),
    );
    expect(brief(found)).toEqual(['check Newsletter', 'check Catalogue']);
    expect(roundedRects(found)).toEqual([[[72, 91, 10, 10]], [[72, 131, 10, 10]]]);
  });

  it('[EDT85] yes and no, circles, and boxes below “check one”: are one choice; “all that apply” is not', async () => {
    const found = await detected(
      print.text(72, 100, 'Are you insured?'),
      print.box(200, 91, 10, 10),
      print.text(214, 100, 'Yes'),
      print.box(260, 91, 10, 10),
      print.text(274, 100, 'No'),
      print.text(72, 140, 'Title'),
      print.circle(200, 131, 10),
      print.text(214, 140, 'Dr'),
      print.circle(260, 131, 10),
      print.text(274, 140, 'Prof'),
      print.text(72, 180, 'Colour (check one)'),
      ...['Red', 'Green', 'Blue'].flatMap((colour, at) => [
        print.box(72, 188 + 16 * at, 10, 10),
        print.text(88, 197 + 16 * at, colour),
      ]),
      print.text(72, 260, 'Days (check all that apply)'),
      ...['Monday', 'Tuesday'].flatMap((day, at) => [
        print.box(72, 268 + 16 * at, 10, 10),
        print.text(88, 277 + 16 * at, day),
      ]),
    );
    const words = found.map((one) =>
      one.kind === 'choice' ? `${one.name}: ${one.options.map(({ label }) => label).join(', ')}` : one.name,
    );
    expect(words).toEqual([
      'Are you insured?: Yes, No',
      'Title: Dr, Prof',
      'Colour (check one): Red, Green, Blue',
      'Monday',
      'Tuesday',
    ]);
  });
});

describe('a page', () => {
  it('[EDT80] read twice: gives the same proposals in reading order', async () => {
    const content = [
      print.text(72, 160, 'Second'),
      print.box(120, 148, 100, 18),
      print.text(320, 100, 'First right'),
      print.box(400, 88, 100, 18),
      print.text(72, 100, 'First left'),
      print.box(140, 88, 100, 18),
    ];
    const found = await detected(...content);
    expect(brief(found)).toEqual(['text First left', 'text First right', 'text Second']);
    expect(await detected(...content)).toEqual(found);
  });
});
