import { describe, expect, it } from 'vitest';
import { emptyLayout } from '../../project/project.ts';
import { matchNames } from './match-names.ts';
import type { Proposal } from './proposal.ts';
import { addProposed } from './proposed-overlays.ts';

const columns = (...labels: readonly string[]) => labels.map((label, at) => ({ key: `column_${at}`, label }));
const matched = (names: readonly string[], ...labels: readonly string[]) =>
  matchNames(names, columns(...labels)).map((match) =>
    match === null ? null : `${match.column}${match.guess ? ' guessed' : ''}`,
  );

describe('the column of a proposed name', () => {
  it('[EDT88] an equal or normalised name: is matched; a similar one is a guess', () => {
    expect(
      matched(['Last name', 'CITY', 'Date of birth', 'Signature'], 'last_name', 'City', 'Birth date', 'Id'),
    ).toEqual(['column_0', 'column_1', 'column_2 guessed', null]);
  });

  it('[EDT88] a name with an explanation: is guessed without it', () => {
    expect(
      matched(['Name (as on your passport). Required', 'Business name, if different'], 'Name', 'Address'),
    ).toEqual(['column_0 guessed', null]);
  });

  it('[EDT88] two similar columns, or two similar names: match nothing', () => {
    expect(matched(['Name'], 'First name', 'Last name')).toEqual([null]);
    expect(matched(['Home phone', 'Work phone'], 'Phone')).toEqual([null, null]);
    expect(matched(['City', 'City'], 'City')).toEqual([null, null]);
  });

  it('[EDT88] a column that an equal name takes: is not guessed for another', () => {
    expect(matched(['Phone', 'Phone number'], 'Phone')).toEqual(['column_0', null]);
  });
});

describe('accepted proposals', () => {
  const rect = { x: 100, y: 200, width: 160, height: 18 };
  const reviewed = (proposal: Proposal, column: string | null = 'column_0') => ({
    proposal,
    name: proposal.name,
    column,
  });

  it('[EDT89] texts: one line that shrinks, several lines in a tall box, one character per cell of a comb', () => {
    const base = { page: 2, name: 'Name', confidence: 1 };
    const { layout } = addProposed(emptyLayout('x'), [
      reviewed({ ...base, kind: 'text', rect }),
      reviewed({ ...base, kind: 'text', rect: { ...rect, height: 60 } }),
      reviewed({ ...base, kind: 'comb', rect, cells: 8 }, null),
    ]);
    expect(layout.overlays).toMatchObject([
      {
        id: 'Name',
        type: 'text',
        page: 2,
        ...rect,
        padding: 2,
        size: 11,
        wrap: false,
        value: { column: 'column_0' },
      },
      { id: 'Name 2', wrap: true, valign: 'top', size: 11 },
      { id: 'Name 3', comb: 8, wrap: false, value: { static: '' } },
    ]);
  });

  it('[EDT89] a choice: one group of check marks, each with its own value', () => {
    const choice: Proposal = {
      kind: 'choice',
      page: 1,
      name: 'Insured?',
      confidence: 1,
      options: [
        { rect, label: 'Yes' },
        { rect: { ...rect, x: 300 }, label: 'No' },
      ],
    };
    const { layout, ids } = addProposed(emptyLayout('x'), [reviewed(choice), reviewed(choice)]);
    expect(ids).toEqual(['Insured?: Yes', 'Insured?: No', 'Insured? 2: Yes', 'Insured? 2: No']);
    expect(layout.overlays).toMatchObject([
      { type: 'check', group: 'Insured?', on_value: 'Yes', value: { column: 'column_0' }, x: 100 },
      { type: 'check', group: 'Insured?', on_value: 'No', value: { column: 'column_0' }, x: 300 },
      { group: 'Insured? 2' },
      { group: 'Insured? 2' },
    ]);
  });

  it('[EDT89] more fields than a layout holds: the rest is left out and counted', () => {
    const many = Array.from({ length: 2_003 }, () =>
      reviewed({ kind: 'check', page: 1, name: '', confidence: 1, rect }),
    );
    const { layout, leftOut } = addProposed(emptyLayout('x'), many);
    expect([layout.overlays.length, leftOut]).toEqual([2_000, 3]);
  });
});
