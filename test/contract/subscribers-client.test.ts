import { expect, test } from 'vitest';
import { EMAIL, exportAll, NAME, openScene } from '../support/subscribers-scene.ts';

test('[SUB1][SUB20] the documented client: tags, fields, one import from two serialisations, poll, list, export, download', async () => {
  const { api, node } = await openScene();
  const tag = await api.post('/v1/tags', { name: 'Newsletter', description: 'Everybody' });
  expect(tag.status).toBe(201);
  const field = await api.post('/v1/custom-fields', { label: 'Company', type: 'Text' });
  expect(field.status).toBe(201);

  const company = {
    csv_column: 'Company',
    field: { type: 'custom-field', custom_field_id: field.body.data.id },
  };
  const body = {
    csv_text:
      'Email,Name,Company\nada@example.com,Ada Lovelace,Analytical Engines\nGRACE@example.com,Grace Hopper,\n,Nobody,x\n',
    mappings: [EMAIL, NAME, company],
    existing_tag_ids: [tag.body.data.id],
  };
  const key = { 'idempotency-key': 'import-2026-04-11-website-signups' };
  const first = await api.post('/v1/jobs/subscriber-imports', body, key);
  expect(first.status).toBe(202);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(first.body.data).toMatchObject({
    status: 'Queued',
    imported_count: null,
    error_message: null,
    row_count: 3,
  });
  const { csv_text, mappings, existing_tag_ids } = body;
  const second = await api.post(
    '/v1/jobs/subscriber-imports',
    JSON.stringify(
      {
        existing_tag_ids,
        mappings: mappings.map(({ csv_column, field }) => ({ field, csv_column })),
        csv_text,
      },
      null,
      2,
    ),
    key,
  );
  expect(second.status).toBe(202);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);

  const job = await api.ended(first.body.data.self);
  expect(job).toMatchObject({
    status: 'Completed',
    imported_count: 2,
    created_count: 2,
    updated_count: 0,
    unchanged_count: 0,
    failed_count: 1,
    progress: 1,
  });
  const people = await api.get('/v1/subscribers?limit=1');
  expect(people.body.pagination).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
  const rest = await api.get(`/v1/subscribers?starting_after=${people.body.pagination.next_cursor}`);
  const all = [...people.body.data, ...rest.body.data];
  expect(all.map((person) => person.email).sort()).toEqual(['GRACE@example.com', 'ada@example.com']);
  const ada = all.find((person) => person.email === 'ada@example.com');
  expect(ada).toMatchObject({
    name: 'Ada Lovelace',
    status: 'Active',
    country: null,
    last_opened_at: null,
    tags: [{ id: tag.body.data.id, name: 'Newsletter' }],
    sequence_ids: [],
    custom_fields: { [field.body.data.id]: 'Analytical Engines' },
    self: `/v1/subscribers/${ada.id}`,
  });
  const {
    job: exported,
    text,
    response,
  } = await exportAll(api, { query: 'ada', status: 'Active', cold_only: false });
  expect(exported).toMatchObject({
    status: 'Completed',
    exported_count: 1,
    selection: { query: 'ada', status: 'Active', cold_only: false },
  });
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe('email,name,status,country,subscribed_at,last_opened_at,tags,Company');
  expect(text.split('\r\n')[1]).toMatch(
    /^ada@example.com,Ada Lovelace,Active,,.*,,Newsletter,Analytical Engines$/,
  );
  expect(node.errors).toEqual([]);
});
