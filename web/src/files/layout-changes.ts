import type {
  FormFieldMapping,
  Layout,
  Overlay,
  ValueSource,
} from '../../../src/fill/package/layout-schema.ts';

/** What is different between two layouts, for a person: one line per thing that happened. */
export interface LayoutChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'resized' | 'remapped' | 'changed';
  /** The overlay or form field it is about; null for the layout as a whole. */
  readonly id: string | null;
  readonly text: string;
}

export function layoutChanges(before: Layout | null, after: Layout): readonly LayoutChange[] {
  const old: Pick<Layout, 'overlays' | 'form_fields' | 'columns' | 'name'> = before ?? {
    overlays: [],
    form_fields: [],
    columns: [],
  };
  return [
    ...listChanges(
      old.overlays,
      after.overlays,
      (a, b) => overlayChanges(a, b, after),
      (part) => overlayWords(part),
    ),
    ...listChanges(
      old.form_fields,
      after.form_fields,
      (a, b) => mappingChanges(a, b, after),
      (part) => `Form field ${part.field}`,
    ),
    ...wholeChanges(old, after),
  ];
}

function listChanges<Part extends { readonly id: string }>(
  before: readonly Part[],
  after: readonly Part[],
  differences: (a: Part, b: Part) => readonly LayoutChange[],
  words: (part: Part) => string,
): LayoutChange[] {
  const old = new Map(before.map((part) => [part.id, part]));
  const now = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((part): readonly LayoutChange[] => {
      const was = old.get(part.id);
      if (was === part) return [];
      return was === undefined
        ? [{ kind: 'added', id: part.id, text: `${words(part)} was added` }]
        : differences(was, part);
    }),
    ...before
      .filter(({ id }) => !now.has(id))
      .map((part): LayoutChange => ({ kind: 'removed', id: null, text: `${words(part)} was removed` })),
  ];
}

const PLACE = new Set(['id', 'type', 'page', 'x', 'y', 'width', 'height', 'value']);
const points = (length: number) => `${Math.round(length * 100) / 100}`;

function overlayChanges(a: Overlay, b: Overlay, layout: Layout): LayoutChange[] {
  const name = overlayWords(b);
  const { id } = b;
  const changes: LayoutChange[] = [];
  if (a.page !== b.page)
    changes.push({ kind: 'moved', id, text: `${name} moved from page ${a.page} to page ${b.page}` });
  else if (a.x !== b.x || a.y !== b.y) {
    const way = [shift(b.x - a.x, 'right', 'left'), shift(b.y - a.y, 'down', 'up')].filter(
      (part) => part !== '',
    );
    changes.push({ kind: 'moved', id, text: `${name} moved ${way.join(' and ')}` });
  }
  if (a.width !== b.width || a.height !== b.height) {
    const from = `${points(a.width)} × ${points(a.height)}`;
    changes.push({
      kind: 'resized',
      id,
      text: `${name} resized from ${from} to ${points(b.width)} × ${points(b.height)} pt`,
    });
  }
  if (!same(a.value, b.value))
    changes.push({
      kind: 'remapped',
      id,
      text: `${name} now shows ${valueWords(b.value, layout)} instead of ${valueWords(a.value, layout)}`,
    });
  const members = new Set([...Object.keys(a), ...Object.keys(b)].filter((member) => !PLACE.has(member)));
  const other = [...members].filter(
    (member) => !same(a[member as keyof Overlay], b[member as keyof Overlay]),
  );
  if (other.length > 0)
    changes.push({
      kind: 'changed',
      id,
      text: `${name}: ${other.map((member) => member.replaceAll('_', ' ')).join(', ')} changed`,
    });
  return changes;
}

function mappingChanges(a: FormFieldMapping, b: FormFieldMapping, layout: Layout): LayoutChange[] {
  const { id } = b;
  if (!same(a.value, b.value) || a.field !== b.field)
    return [
      {
        kind: 'remapped',
        id,
        text: `Form field ${b.field} now takes ${valueWords(b.value, layout)} instead of ${valueWords(a.value, layout)}`,
      },
    ];
  return same(a, b) ? [] : [{ kind: 'changed', id, text: `Form field ${b.field} changed` }];
}

function wholeChanges(before: Pick<Layout, 'columns' | 'name'>, after: Layout): LayoutChange[] {
  const changes: LayoutChange[] = [];
  if (!same(before.columns, after.columns))
    changes.push({
      kind: 'changed',
      id: null,
      text: `The columns are now ${after.columns.map(({ label }, index) => label || `Column ${index + 1}`).join(', ') || 'none'}`,
    });
  return changes;
}

const shift = (by: number, positive: string, negative: string) =>
  Math.abs(by) < 0.001 ? '' : `${points(Math.abs(by))} pt ${by > 0 ? positive : negative}`;
const overlayWords = ({ type, id }: Overlay) =>
  `${({ qr: 'QR code', check: 'Check mark' } as Record<string, string>)[type] ?? type[0]?.toUpperCase() + type.slice(1)} ${id}`;

export function valueWords(value: ValueSource | undefined, layout: Pick<Layout, 'columns'>): string {
  if (value === undefined) return 'nothing';
  if ('static' in value) return value.static === '' ? 'nothing' : `“${value.static}”`;
  const label = (key: string) =>
    layout.columns.find((column) => column.key === key)?.label ||
    `Column ${Number(key.slice('column_'.length)) + 1}`;
  if ('column' in value) return label(value.column);
  return `“${value.template.replaceAll(/\{\{\s*(column_\d+)\s*\}\}/g, (_, key: string) => `{${label(key)}}`)}”`;
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
