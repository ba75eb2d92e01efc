import { MAX_GROUP_COLUMNS } from '#fill/group-columns.ts';
import { columnName } from '../core/overlays/value-words.ts';
import { useEditor } from '../editor/editor-store.ts';
import { chooseRun, useWork } from '../project/work-store.ts';
import { SelectField } from '../ui/field.tsx';
import { groupProblem } from './run-choices.ts';
import type { DocumentCount } from './use-document-count.ts';

/** Which rows make one document: each row, or all rows with the same values in up to three columns. */
export function GroupChoice({ documents }: { documents: DocumentCount }) {
  const layout = useEditor((editor) => editor.project?.layout);
  const rowCount = useEditor((editor) => editor.rows?.rowCount ?? 0);
  const { groupBy } = useWork((work) => work.run);
  if (layout === undefined) return null;
  const hasTable = layout.overlays.some(({ type }) => type === 'table');
  const choose = (place: number, key: string) => {
    const next = [...groupBy.slice(0, place), key, ...groupBy.slice(place + 1)];
    chooseRun({ groupBy: next.filter((each, at) => each !== '' && next.indexOf(each) === at) });
  };
  const columns = (place: number) =>
    layout.columns.filter(({ key }) => !groupBy.includes(key) || groupBy[place] === key);
  const unknown = (place: number) => {
    const key = groupBy[place];
    return key !== undefined && layout.columns.every((column) => column.key !== key) ? key : undefined;
  };
  const problem = groupProblem({ groupBy }, layout.columns) ?? documents.refused ?? undefined;
  const hint =
    groupBy.length === 0
      ? hasTable
        ? 'A table then shows one row. Choose the column that says which rows belong together.'
        : undefined
      : documents.count === null
        ? 'Counting the groups'
        : `${words(documents.count, 'document')} from ${words(rowCount, 'row')}. Tables show all rows of a document, other fields its first row.`;
  return (
    <>
      {Array.from({ length: Math.min(groupBy.length + 1, MAX_GROUP_COLUMNS) }, (_, place) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: the place among the columns is what the control is
          key={place}
          label={place === 0 ? 'One document for' : 'and the same'}
          hint={place === Math.max(0, groupBy.length - 1) ? hint : undefined}
          error={place === Math.max(0, groupBy.length - 1) ? problem : undefined}
          value={groupBy[place] ?? ''}
          onChange={(event) => choose(place, event.target.value)}
        >
          <option value="">{place === 0 ? 'Each row' : 'No further column'}</option>
          {unknown(place) !== undefined && <option value={unknown(place)}>{unknown(place)}</option>}
          {columns(place).map(({ key }) => (
            <option key={key} value={key}>
              {place === 0 ? `All rows with the same ${columnName(layout, key)}` : columnName(layout, key)}
            </option>
          ))}
        </SelectField>
      ))}
    </>
  );
}

const words = (count: number, what: string) => `${count.toLocaleString()} ${what}${count === 1 ? '' : 's'}`;
