import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../support/bulkfill-client.ts';
import { letterPdf, seal } from '../support/bulkfill-server.ts';
import { box, layoutOf, openArchive } from '../support/fill-cli.ts';
import { McpClient } from '../support/mcp-client.ts';
import { saveProject } from '../support/projects.ts';
import { pageTexts } from '../support/read-pdf.ts';

/** A name as text and a code that cannot be blank. */
const layout = layoutOf(
  [
    { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
    { id: 'code', type: 'qr', ...box, x: 400, width: 90, height: 90, value: { column: 'column_1' } },
  ],
  {
    columns: [
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: 'Ticket' },
    ],
  },
);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene?.server.stop());

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly idempotency_key: string;
}

describe.each(['stdio', 'http'] as const)('over %s', (transport) => {
  it('[MCP1] [MCP2] [MCP13] an agent that fills a letter: lists, checks, corrects, looks, runs, repeats and downloads', async () => {
    const { account, ...client } = await newAccount();
    const agent = await McpClient[transport](scene.server.url, account.key);
    try {
      const { data: listed } = await agent.call('list_projects');
      expect(listed).toEqual({
        projects: [
          {
            project_id: client.projectId,
            name: 'Ticket letter',
            version: 1,
            page_count: 1,
            column_count: 2,
            updated_at: expect.stringMatching(/Z$/),
          },
        ],
        next_cursor: null,
      });

      const { data: described } = await agent.call('get_row_schema', { project: 'Ticket letter' });
      expect(described).toMatchObject({
        project_id: client.projectId,
        version: 1,
        column_count: 2,
        row_schema: { type: 'object', required: ['Name', 'Ticket'], properties: { Name: {}, Ticket: {} } },
        next_cursor: null,
      });

      // Row 2 has no ticket number, and row 3 has an object for a name.
      const bad = [
        { Name: 'Ada Lovelace', Ticket: 'T-1' },
        { Name: 'Grace Hopper', Ticket: '' },
        { Name: { first: 'Katherine' }, Ticket: 'T-3' },
      ];
      const { data: checked } = await agent.call('dry_run_rows', { project: 'Ticket letter', rows: bad });
      expect(checked).toEqual({
        project_id: client.projectId,
        version: 1,
        rows: 3,
        job_id: expect.any(String),
        success_rows: 1,
        partial_rows: 1,
        failed_rows: 1,
        problems: [
          expect.objectContaining({
            row_number: 2,
            status: 'partial',
            code: 'CODE_VALUE_BLANK',
            column_label: 'Ticket',
          }),
          expect.objectContaining({ row_number: 3, status: 'failed', code: 'ROW_VALUE_INVALID' }),
        ],
      });

      const rows = [bad[0], { Name: 'Grace Hopper', Ticket: 'T-2' }, { Name: 'Katherine', Ticket: 'T-3' }];
      const { data: clean } = await agent.call('dry_run_rows', { project: 'Ticket letter', rows });
      expect(clean).toMatchObject({ success_rows: 3, partial_rows: 0, failed_rows: 0, problems: [] });

      const look = { project: 'Ticket letter', row: rows[1] };
      const { data: seen, png } = await agent.call<Job & { row_number: number }>('look_at_row', look);
      expect(seen).toMatchObject({ row_number: 1, page: 1, width: 700, problems: [] });
      expect(png?.toString('latin1', 1, 4)).toBe('PNG');
      expect(png?.readUInt32BE(16)).toBe(700);
      const { data: again } = await agent.call<Job>('look_at_row', look);
      expect(again.job_id).toBe(seen.job_id);

      const { data: run } = await agent.call<Job>('run_rows', { project: 'Ticket letter', rows });
      expect(run).toMatchObject({ status: 'completed', rows: 3, version: 1 });
      expect(run.idempotency_key).toMatch(/^mcp-[0-9a-f]{40}-1$/);
      const { data: repeated } = await agent.call<Job>('run_rows', {
        project: 'Ticket letter',
        rows,
        idempotency_key: run.idempotency_key,
      });
      expect(repeated.job_id).toBe(run.job_id);

      const { job_id } = run;
      const { data: status } = await agent.call('get_job_status', { job_id });
      expect(status).toMatchObject({
        job_id,
        status: 'completed',
        rows_total: 3,
        rows_done: 3,
        rows_failed: 0,
      });
      const { data: problems } = await agent.call('get_problem_rows', { job_id });
      expect(problems).toEqual({ job_id, problems: [], next_cursor: null });

      const { data: links } = await agent.call<{ zip_url: string; row_pdf_url_template: string }>(
        'get_download_links',
        { job_id },
      );
      const headers = { authorization: `Bearer ${account.key}` };
      const bytes = async (url: string) =>
        new Uint8Array(await (await fetch(url, { headers })).arrayBuffer());
      const { files, manifest } = openArchive(await bytes(links.zip_url));
      expect(manifest.row_results.map(({ status: each }) => each)).toEqual(['success', 'success', 'success']);
      const second = await bytes(links.row_pdf_url_template.replace('{row_number}', '2'));
      expect(createHash('sha256').update(second).digest('hex')).toBe(manifest.row_results[1]?.sha256);
      expect((await pageTexts(files['row_2.pdf'] ?? new Uint8Array()))[0]).toContain('Grace Hopper');
      expect(agent.said).toEqual([]);
    } finally {
      await agent.close();
    }
  });
});

async function newAccount() {
  const client = await scene.another();
  const saved = await saveProject(
    client,
    '/v1/bulkfill/projects',
    { name: 'Ticket letter', pdf: letterPdf, doqlo_file: await seal(layout, letterPdf) },
    { method: 'POST', headers: { 'idempotency-key': 'p' } },
  );
  expect(saved.status).toBe(201);
  return { account: client.account, projectId: saved.body.project_id };
}
