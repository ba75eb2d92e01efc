/** Labels of used columns, names of an input, and the decision that the editor, the server and `rowpress fill` must all make. */
export interface ColumnCase {
  readonly name: string;
  readonly labels: readonly string[];
  readonly names: readonly string[];
  /** The name's index for each label; or why a person is asked and a request is rejected. */
  readonly decision: readonly number[] | 'COLUMNS_MISSING' | 'COLUMNS_AMBIGUOUS';
}

const LABELS = ['Name', 'Home town'];

export const COLUMN_CASES: readonly ColumnCase[] = [
  { name: 'equal names', labels: LABELS, names: ['Name', 'Home town'], decision: [0, 1] },
  { name: 'swapped names', labels: LABELS, names: ['Home town', 'Name'], decision: [1, 0] },
  {
    name: 'extra columns around them',
    labels: LABELS,
    names: ['Id', 'Name', 'x', 'Home town', 'y'],
    decision: [1, 3],
  },
  { name: 'another case', labels: LABELS, names: ['NAME', 'home TOWN'], decision: [0, 1] },
  {
    name: 'spaces, underscores, hyphens and points',
    labels: LABELS,
    names: ['home__-.town', ' Name '],
    decision: [1, 0],
  },
  {
    name: 'NFD instead of NFC',
    labels: ['Café', 'Größe'],
    names: ['GRO\u0308SSE', 'cafe\u0301'],
    decision: [1, 0],
  },
  {
    name: 'an equal name beside a similar one',
    labels: LABELS,
    names: ['name', 'Name', 'Home town'],
    decision: [1, 2],
  },
  {
    name: 'two labels that differ only in case',
    labels: ['name', 'Name'],
    names: ['Name', 'name'],
    decision: [1, 0],
  },
  { name: 'a missing column', labels: LABELS, names: ['Name', 'Town'], decision: 'COLUMNS_MISSING' },
  { name: 'no names at all', labels: LABELS, names: ['', ' '], decision: 'COLUMNS_MISSING' },
  {
    name: 'blank names beside the used ones',
    labels: LABELS,
    names: ['', 'Home town', '', 'Name'],
    decision: [3, 1],
  },
  {
    name: 'the same name twice',
    labels: LABELS,
    names: ['Name', 'Home town', 'Name'],
    decision: 'COLUMNS_AMBIGUOUS',
  },
  {
    name: 'two similar names',
    labels: LABELS,
    names: ['NAME', 'name', 'Home town'],
    decision: 'COLUMNS_AMBIGUOUS',
  },
  {
    name: 'one label on two used columns',
    labels: ['Name', 'Name'],
    names: ['Name', 'x'],
    decision: 'COLUMNS_AMBIGUOUS',
  },
  {
    name: 'two similar labels, one name',
    labels: ['name', 'NAME'],
    names: ['Name', 'x'],
    decision: 'COLUMNS_AMBIGUOUS',
  },
];
