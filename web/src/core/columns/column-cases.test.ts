import { expect, it } from 'vitest';
import { bindColumns } from '#lib/rows/bind-columns.ts';
import { COLUMN_CASES, type ColumnCase } from '../../../../test/support/column-cases.ts';
import { chooseByName, decideColumns } from './column-order.ts';

/** The editor asks a person about what the server and the command reject. */
function decisionOf({ labels, names }: ColumnCase): ColumnCase['decision'] {
  const used = labels.map((label, position) => ({ position, label }));
  if (decideColumns(used, names).is === 'open') {
    const isAmbiguous = bindColumns(used, names).some(({ match }) => match === 'ambiguous');
    return isAmbiguous ? 'COLUMNS_AMBIGUOUS' : 'COLUMNS_MISSING';
  }
  const choices = chooseByName(used, names);
  return labels.map((_, position) => choices.get(position) ?? -1);
}

it.each(COLUMN_CASES)('[EDT43] $name: the editor decides as the server and the command do', (each) => {
  expect(decisionOf(each)).toEqual(each.decision);
});
