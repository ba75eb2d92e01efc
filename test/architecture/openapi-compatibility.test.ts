import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakingChanges, type Document } from '../../scripts/compatibility/document-changes.ts';
import { undeclaredChanges } from '../../scripts/compatibility/undeclared-changes.ts';

const text = readFileSync('docs/openapi.json', 'utf8');
// biome-ignore lint/suspicious/noExplicitAny: each case changes another part of the document
type Editable = any;
const released = JSON.parse(text) as Document;

/** What the check says about the present document after a change. */
function changesAfter(edit: (document: Editable) => void): string[] {
  const document = JSON.parse(text) as Editable;
  edit(document);
  return breakingChanges(released, document).map(({ subject, change }) => `${subject}: ${change}`);
}

const JOBS = '/v1/bulkfill/export-jobs';

const breaks: [what: string, edit: (document: Editable) => void, change: string][] = [
  ['a removed path', (d) => delete d.paths['/v1/workspace'], 'getWorkspace: GET /v1/workspace was removed'],
  [
    'a removed method',
    (d) => delete d.paths[`${JOBS}/{job_id}`].delete,
    'cancelExportJob: DELETE /v1/bulkfill/export-jobs/{job_id} was removed',
  ],
  [
    'another id',
    (d) => {
      d.paths['/v1/tags'].post.operationId = 'addTag';
    },
    'createTag: its id is now addTag',
  ],
  [
    'a further scope',
    (d) => d.paths['/v1/tags'].get.security[0].bearer.push('tags:write'),
    'listTags: a key needs [{"bearer":["tags:read","tags:write"]}]',
  ],
  [
    'a key where none was needed',
    (d) => d.paths['/v1'].get.security.push({ bearer: [] }),
    'getPublicApiMeta: a key is required',
  ],
  [
    'a smaller body limit',
    (d) => {
      d.paths['/v1/tags'].post['x-max-body-bytes'] = 10;
    },
    'createTag: its body is limited to 10 bytes',
  ],
  [
    'a new required parameter',
    (d) =>
      (d.paths['/v1/workspace'].get.parameters = [{ name: 'at', in: 'query', required: true, schema: {} }]),
    'getWorkspace: query parameter at is required',
  ],
  [
    'a removed parameter',
    (d) => d.paths[JOBS].get.parameters.pop(),
    'listExportJobs: query parameter cursor was removed',
  ],
  [
    'a lower limit of a parameter',
    (d) => {
      d.components.parameters.BulkFillLimit.schema.maximum = 50;
    },
    'listExportJobs: query parameter limit: maximum changed',
  ],
  [
    'a new required member of a request',
    (d) => d.components.schemas.CreateTag.required.push('description'),
    'createTag: request: body: description is required',
  ],
  [
    'a removed member of a request',
    (d) => delete d.components.schemas.CreateTag.properties.description,
    'createTag: request: body: description was removed',
  ],
  [
    'a removed value of a request',
    (d) => d.components.schemas.CreateExportJobForm.properties.delivery_mode.enum.pop(),
    'createExportJob: request: delivery_mode: "webhook" is no longer accepted',
  ],
  [
    'a narrowed type of a request',
    (d) => {
      d.components.schemas.SkuItem.properties.weight_kg.type = 'integer';
    },
    'sendSkus: request: items[].weight_kg: type number is no longer accepted',
  ],
  [
    'a removed media type of a request',
    (d) => delete d.paths['/wms-ingest/v1/master/skus'].post.requestBody.content['application/x-ndjson'],
    'sendSkus: request: application/x-ndjson was removed',
  ],
  [
    'a body that becomes required',
    (d) => {
      d.paths[`${JOBS}/{job_id}/retry`].post.requestBody.required = true;
    },
    'retryExportJob: a request body is required',
  ],
  [
    'a removed member of a response',
    (d) => delete d.components.schemas.ExportJobResult.properties.expires_at,
    'getExportJob: response 200: result: expires_at was removed',
  ],
  [
    'a member of a response that can be absent',
    (d) => d.components.schemas.Tag.required.pop(),
    'getTag: response 200: data: self can be absent',
  ],
  [
    'a new type of a response',
    (d) => {
      d.components.schemas.Tag.properties.name.type = ['string', 'null'];
    },
    'getTag: response 200: data.name: type can be string or null',
  ],
  [
    'a new value of a response',
    (d) => d.components.schemas.ExportJobStatus.enum.push('paused'),
    'getExportJob: response 200: status: "paused" is a new value',
  ],
  [
    'a removed status',
    (d) => delete d.paths[JOBS].post.responses['202'],
    'createExportJob: the response 202 was removed',
  ],
  [
    'a removed header',
    (d) => delete d.components.responses.TagItem.headers['X-Mailrith-Request-Id'],
    'getTag: response 200: the header X-Mailrith-Request-Id was removed',
  ],
  [
    'a removed member of an error',
    (d) => delete d.components.schemas.BulkFillError.properties.differs_in,
    'createExportJob: response 409: body: differs_in was removed',
  ],
  [
    'a removed event',
    (d) => delete d.webhooks['import_job.failed'],
    'receiveImportJobFailed: POST import_job.failed was removed',
  ],
  [
    'a removed member of an event',
    (d) => delete d.components.schemas.ExportJobFailedEvent.properties.error_code,
    'receiveBulkfillExportJobFailed: event: body: error_code was removed',
  ],
];

test.each(breaks)('[HTTP67] %s: breaks clients', (_what, edit, change) => {
  expect(changesAfter(edit)).toContain(change);
});

test('[HTTP67] the same document, and additions as VERSIONING.md lists them: break nobody', () => {
  expect(changesAfter(() => {})).toEqual([]);
  const additions = changesAfter((d) => {
    d.paths['/v1/news'] = { get: d.paths['/v1/workspace'].get };
    d.components.schemas.CreateTag.properties.colour = { type: 'string' };
    d.components.schemas.Tag.properties.colour = { type: 'string' };
    d.components.schemas.BulkFillErrorCode.enum.push('NEW_CODE');
    d.components.schemas.ExportJobFailedEvent.properties.attempt = { type: 'integer' };
    d.components.parameters.BulkFillLimit.schema.maximum = 500;
    d.paths['/v1/tags'].get.parameters.push({ name: 'colour', in: 'query', schema: { type: 'string' } });
    d.paths['/v1/tags'].get.summary = 'List all tags';
    delete d.paths['/v1/tags'].get.responses['429'];
  });
  expect(additions).toEqual([]);
});

test('[HTTP67] a breaking change: must be named in the changelog, below Unreleased and Breaking', () => {
  const changes = [{ subject: 'createTag', change: 'request: body: description is required' }];
  const log = (entry: string) => `# Changelog\n\n## Unreleased\n\n${entry}\n\n## 0.1.0 (2026-11-18)\n`;
  expect(undeclaredChanges(changes, log('### Breaking\n\n- `createTag` needs a description.'))).toEqual([]);
  for (const entry of [
    '### Breaking\n\n- `getTag` differs.',
    '### Changed\n\n- `createTag` needs a description.',
    '',
  ])
    expect(undeclaredChanges(changes, log(entry)), entry).toEqual(changes);
});

test('[HTTP67] the present document: breaks no client of the last release without saying so', () => {
  const check = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/check-openapi-compatibility.ts', ...args], { encoding: 'utf8' });
  const { status, stderr } = check();
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const folder = mkdtempSync(join(tmpdir(), 'rowpress-compatibility-'));
  const removed = JSON.parse(text) as Editable;
  delete removed.paths['/v1/tags'].post;
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(removed));
  const failed = check('docs/openapi.json', join(folder, 'openapi.json'));
  rmSync(folder, { recursive: true });
  expect([failed.status, failed.stderr]).toEqual([1, 'createTag: POST /v1/tags was removed\n']);
});
