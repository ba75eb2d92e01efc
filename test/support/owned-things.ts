import { randomUUID } from 'node:crypto';
import type { BulkfillClient } from './bulkfill-client.ts';
import { saveProject } from './projects.ts';

/** The keys of one account, one per surface. */
export interface AccountKeys {
  readonly bulkfill: string;
  readonly subscribers: string;
  readonly ingest: string;
}

/** Ids of one account's resources by the path prefix whose parameters they fill, and all of them for searching responses. */
export interface OwnedThings {
  /** `template` as in the OpenAPI document; undefined if this account has no matching resource. */
  path(template: string): string | undefined;
  readonly ids: readonly string[];
}

const INGEST = '/wms-ingest/v1';
/** Tests store this thumbprint directly: a certificate can be registered only over a connection that presents it. */
export const OWN_THUMBPRINT = 'ab'.repeat(32);
const EMAIL = { csv_column: 'Email', field: { type: 'email' } };

/** Creates one of each resource that the three surfaces store for an account. */
export async function makeThings(client: BulkfillClient, keys: AccountKeys): Promise<OwnedThings> {
  const { url } = client.server;
  const correlation = randomUUID();
  const send = async (surface: keyof AccountKeys, path: string, body: unknown, id = randomUUID()) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[surface]}`,
        'x-correlation-id': id,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${text}`);
    // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
    return JSON.parse(text) as any;
  };
  // With both outputs, every route of a job has something to send.
  const job = (await client.create({ output: 'both' })).body.job_id;
  const { pdf, doqlo_file } = client.usual;
  const project = await saveProject(
    client,
    '/v1/bulkfill/projects',
    { name: 'Own', pdf, doqlo_file },
    { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  );
  const subscriber = (await send('subscribers', '/v1/subscribers', { email: 'own@example.com' })).data.id;
  const tag = (await send('subscribers', '/v1/tags', { name: 'Own' })).data.id;
  const field = (await send('subscribers', '/v1/custom-fields', { label: 'Own', type: 'Text' })).data.id;
  const hook = (
    await send('subscribers', '/v1/webhook-subscriptions', {
      url: 'https://example.com/own',
      event_patterns: ['*'],
    })
  ).data.subscription.id;
  const imported = (
    await send('subscribers', '/v1/jobs/subscriber-imports', {
      csv_text: 'Email\nown2@example.com\nnot an address\n',
      mappings: [EMAIL],
    })
  ).data.id;
  await ended(`${url}/v1/jobs/subscriber-imports/${imported}`, keys.subscribers);
  const exported = (await send('subscribers', '/v1/jobs/subscriber-exports', {})).data.id;
  const upload = (await send('subscribers', '/v1/jobs/subscriber-import-uploads', { file_name: 'own.csv' }))
    .data.id;
  await send('ingest', `${INGEST}/master/uoms`, { items: [{ source_id: 'OWN-EA', name: 'Each' }] });
  const items = [
    { source_id: 'OWN-1', name: 'One', base_uom: 'OWN-EA' },
    { source_id: 'OWN-2', name: 'Two', base_uom: 'OWN-NONE' },
  ];
  const sent = await send('ingest', `${INGEST}/master/skus`, { items }, correlation);
  const quarantined = sent.results[1].quarantine_id;
  const internal = sent.results[0].internal_id;
  const webhook = await send('ingest', `${INGEST}/webhooks`, {
    url: 'https://example.com/own',
  });
  const load = await send('ingest', `${INGEST}/master/uoms?mode=bulk`, {
    items: [{ source_id: 'OWN-KG', name: 'Kilogram' }],
  });
  const byPrefix: [prefix: string, values: Record<string, string>][] = [
    ['/v1/bulkfill/export-jobs', { job_id: job, row: '1' }],
    ['/v1/bulkfill/projects', { project_id: project.body.project_id }],
    ['/v1/subscribers', { subscriber_id: subscriber, tag_id: tag }],
    ['/v1/tags', { tag_id: tag }],
    ['/v1/custom-fields', { custom_field_id: field }],
    ['/v1/jobs/subscriber-imports', { job_id: imported }],
    ['/v1/jobs/subscriber-exports', { job_id: exported }],
    ['/v1/jobs/subscriber-import-uploads', { upload_id: upload }],
    ['/v1/webhook-subscriptions', { webhook_subscription_id: hook }],
    [`${INGEST}/jobs`, { id: load.job_id }],
    [`${INGEST}/requests`, { id: correlation }],
    [`${INGEST}/quarantine`, { id: quarantined }],
    [`${INGEST}/webhooks`, { id: webhook.webhook_id }],
    [`${INGEST}/certificates`, { id: OWN_THUMBPRINT }],
    [`${INGEST}/mappings/by-internal-id`, { id: internal }],
    [`${INGEST}/mappings/{group}`, { group: 'master', name: 'skus', source_id: 'OWN-1' }],
    [`${INGEST}/{group}`, { group: 'master', name: 'skus', source_id: 'OWN-1' }],
  ];
  return {
    path: (template) => {
      const values = byPrefix.find(([prefix]) => template.startsWith(prefix))?.[1];
      const filled = template.replaceAll(/\{(\w+)\}/g, (whole, name) => values?.[name] ?? whole);
      return filled.includes('{') ? undefined : filled;
    },
    ids: [
      job,
      project.body.project_id,
      subscriber,
      tag,
      field,
      hook,
      imported,
      exported,
      upload,
      quarantined,
      internal,
      webhook.webhook_id,
    ],
  };
}

/** Waits for a job to end: the list of its failed rows does not exist before then. */
async function ended(url: string, key: string): Promise<void> {
  for (let round = 0; round < 1200; round += 1) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: { status: string } };
    if (!['Queued', 'Pending', 'Processing', 'Running'].includes(data.status)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} did not end`);
}
