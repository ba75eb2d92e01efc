import type { FormFieldMapping, Layout, Overlay } from '#fill/package/layout-schema.ts';
import { badges } from '../core/overlays/badges.ts';
import { sourceWords } from '../core/overlays/value-words.ts';
import { TOOLS } from '../kinds/tools.ts';
import { emptyLayout } from '../project/project.ts';

/** A difference between two layouts, as one line of text. */
export interface LayoutChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'resized' | 'remapped' | 'changed';
  /** The overlay or form field that changed. Null for a removed one, and for changes of the layout as a whole. */
  readonly id: string | null;
  readonly text: string;
}

export function layoutChanges(saved: Layout | null, after: Layout): readonly LayoutChange[] {
  const before = saved ?? emptyLayout('');
  return [
    ...listChanges<Overlay>(
      before.overlays,
      after.overlays,
      (a, b) => overlayChanges(a, b, before, after),
      (part) => overlayName(part, after.overlays.includes(part) ? after : before),
    ),
    ...listChanges<FormFieldMapping>(
      before.form_fields,
      after.form_fields,
      (a, b) => mappingChanges(a, b, before, after),
      (part) => `Form field ${part.field}`,
    ),
    ...columnChanges(before, after),
    ...pageChanges(before, after),
  ];
}

function listChanges<Part extends { readonly id: string }>(
  before: readonly Part[],
  after: readonly Part[],
  differences: (a: Part, b: Part) => readonly LayoutChange[],
  name: (part: Part) => string,
): LayoutChange[] {
  const old = new Map(before.map((part) => [part.id, part]));
  const now = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((part): readonly LayoutChange[] => {
      const was = old.get(part.id);
      if (was === part) return [];
      return was === undefined
        ? [{ kind: 'added', id: part.id, text: `${name(part)} was added` }]
        : differences(was, part);
    }),
    ...before
      .filter(({ id }) => !now.has(id))
      .map((part): LayoutChange => ({ kind: 'removed', id: null, text: `${name(part)} was removed` })),
  ];
}

const PLACE = new Set(['id', 'type', 'page', 'x', 'y', 'width', 'height', 'value']);

function overlayChanges(a: Overlay, b: Overlay, before: Layout, after: Layout): LayoutChange[] {
  const name = overlayName(b, after);
  const { id } = b;
  const changes: LayoutChange[] = [];
  const add = (kind: LayoutChange['kind'], text: string) =>
    changes.push({ kind, id, text: `${name} ${text}` });
  if (a.page !== b.page) add('moved', `moved from page ${a.page} to page ${b.page}`);
  else if (a.x !== b.x || a.y !== b.y) {
    const ways = [way(b.x - a.x, 'right', 'left'), way(b.y - a.y, 'down', 'up')].filter(
      (part) => part !== '',
    );
    add('moved', `moved ${ways.join(' and ')}`);
  }
  if (a.width !== b.width || a.height !== b.height)
    add('resized', `resized from ${size(a)} to ${size(b)} pt`);
  if (!same(a.value, b.value))
    add('remapped', `shows ${sourceWords(after, b.value)} instead of ${sourceWords(before, a.value)}`);
  const members = new Set([...Object.keys(a), ...Object.keys(b)].filter((member) => !PLACE.has(member)));
  const other = [...members].filter(
    (member) => !same(a[member as keyof Overlay], b[member as keyof Overlay]),
  );
  if (other.length > 0)
    add('changed', `has another ${other.map((member) => member.replaceAll('_', ' ')).join(', ')}`);
  return changes;
}

function mappingChanges(
  a: FormFieldMapping,
  b: FormFieldMapping,
  before: Layout,
  after: Layout,
): LayoutChange[] {
  const { id } = b;
  const name = `Form field ${b.field}`;
  if (!same(a.value, b.value) || a.field !== b.field) {
    const [now, was] = [sourceWords(after, b.value), sourceWords(before, a.value)];
    return [{ kind: 'remapped', id, text: `${name} takes ${now} instead of ${was}` }];
  }
  return same(a, b) ? [] : [{ kind: 'changed', id, text: `${name} has another format or condition` }];
}

function columnChanges(before: Layout, after: Layout): LayoutChange[] {
  const change = (kind: LayoutChange['kind'], text: string): LayoutChange => ({ kind, id: null, text });
  const length = Math.max(before.columns.length, after.columns.length);
  return Array.from({ length }, (_, index) => index).flatMap((index): readonly LayoutChange[] => {
    const [was, now] = [before.columns[index], after.columns[index]];
    const number = `Column ${index + 1}`;
    const named = ({ label }: { readonly label: string }) => (label === '' ? number : `${number}, ${label},`);
    if (was === undefined) return now === undefined ? [] : [change('added', `${named(now)} was added`)];
    if (now === undefined) return [change('removed', `${named(was)} was removed`)];
    if (was.label !== now.label)
      return [change('changed', `${number} is called ${quoted(now.label)} instead of ${quoted(was.label)}`)];
    return same(was, now) ? [] : [change('changed', `${named(now)} is read with another format`)];
  });
}

const quoted = (label: string) => (label === '' ? 'nothing' : `“${label}”`);

/** Differences of the PDFs that the layouts were sealed for. */
function pageChanges({ source: was }: Layout, { source: now }: Layout): LayoutChange[] {
  if (was === undefined || now === undefined || was.sha256 === now.sha256) return [];
  const pages = ({ page_count: count }: { readonly page_count: number }) =>
    `${count} page${count === 1 ? '' : 's'}`;
  const text = `The PDF was replaced: ${pages(now)} instead of ${pages(was)}`;
  return [{ kind: 'changed', id: null, text }];
}

const overlayName = ({ type, id }: Overlay, layout: Layout) =>
  `${TOOLS[type].name} ${badges(layout).get(id) ?? id}`;
const points = (length: number) => `${Math.round(length * 100) / 100}`;
const size = ({ width, height }: Overlay) => `${points(width)} × ${points(height)}`;
const way = (by: number, positive: string, negative: string) =>
  Math.abs(by) < 0.001 ? '' : `${points(Math.abs(by))} pt ${by > 0 ? positive : negative}`;
const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
