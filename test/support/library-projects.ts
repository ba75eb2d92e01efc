import { randomUUID } from 'node:crypto';
import { letterPdf, nameLayout, seal } from './bulkfill-server.ts';
import type { WebApp } from './web-app.ts';

/** Saves a project through the operator API, with the files of a letter. */
export async function createProject(
  app: Pick<WebApp, 'operator'>,
  name: string,
  account = 'main',
  layout = nameLayout,
): Promise<string> {
  const form = new FormData();
  form.set('name', name);
  form.set('pdf', new Blob([letterPdf as Uint8Array<ArrayBuffer>]));
  form.set('doqlo_file', new Blob([(await seal(layout, letterPdf)) as Uint8Array<ArrayBuffer>]));
  const made = await app.operator.request<{ project_id: string }>('POST', '/acting/bulkfill/projects', {
    body: form,
    headers: { 'x-rowpress-account': account, 'idempotency-key': randomUUID() },
  });
  if (made.status !== 201) throw new Error(`creating ${name}: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body.project_id;
}

/** The stored projects of the account as `name version`. */
export async function storedProjects(app: WebApp, account = 'main'): Promise<string[]> {
  const { data } = (
    await app.operator.get<{ data: { name: string; version: number }[] }>('/acting/bulkfill/projects', {
      'x-rowpress-account': account,
    })
  ).body;
  return data.map(({ name, version }) => `${name} ${version}`).sort();
}
