import { expect, test } from 'vitest';
import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { orderProjects } from './order-projects.ts';

const project = (name: string, created: number, updated: number, label = 'Name'): ProjectView => ({
  project_id: name,
  name,
  version: 1,
  page_count: 1,
  columns: [{ key: 'column_0', label }],
  created_at: `2026-11-${String(created).padStart(2, '0')}T00:00:00.000Z`,
  updated_at: `2026-11-${String(updated).padStart(2, '0')}T00:00:00.000Z`,
});
const all = [project('Letter 10', 1, 3), project('letter 2', 3, 1), project('Übung', 2, 2, 'Ort')];
const names = (...args: Parameters<typeof orderProjects>) => orderProjects(...args).map(({ name }) => name);

test('[EDT200] the orders: last saved first, newest first, or by name with numbers by their value', () => {
  expect(names(all, '', 'saved')).toEqual(['Letter 10', 'Übung', 'letter 2']);
  expect(names(all, '', 'created')).toEqual(['letter 2', 'Übung', 'Letter 10']);
  expect(names(all, '', 'name')).toEqual(['letter 2', 'Letter 10', 'Übung']);
});

test('[EDT200] a search: finds every word in the name or a column, without case and accents', () => {
  expect(names(all, 'LETTER 1', 'name')).toEqual(['Letter 10']);
  expect(names(all, ' ubung  ort ', 'name')).toEqual(['Übung']);
  expect(names(all, 'letter ort', 'name')).toEqual([]);
});
