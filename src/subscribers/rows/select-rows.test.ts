import { expect, test } from 'vitest';
import { EMAIL, importCsv, NAME, openScene } from '../../../test/support/subscribers-scene.ts';
import { createSelectRows } from './select-rows.ts';

test('[SUB70] a selection read as rows of another job: the cells of an export, unchanged', async () => {
  const { api, node } = await openScene();
  await api.post('/v1/custom-fields', { label: 'City', type: 'Text' });
  await importCsv(api, 'Email,Name\na@example.com,=Ann\nb@example.com,Bob\n', {
    mappings: [EMAIL, NAME],
    new_tag_name: 'Letter',
  });
  const tag = (await api.get('/v1/tags')).body.data[0];
  const selectRows = createSelectRows(node.deps);
  const accountId = (await api.get('/v1/workspace')).body.data.id;
  const { columns, rows } = await selectRows(accountId, { query: 'ann', tagIds: [tag.id] });
  const read: (readonly string[])[] = [];
  for await (const batch of rows) read.push(...batch);
  expect(columns.slice(0, 2)).toEqual(['email', 'name']);
  expect(columns.at(-1)).toBe('City');
  expect(read.map((row) => row.slice(0, 3))).toEqual([['a@example.com', '=Ann', 'Active']]);
});
