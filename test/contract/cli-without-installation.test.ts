import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

async function emptyFolder(): Promise<CliSandbox> {
  const sandbox = await cliSandbox();
  onTestFinished(() => sandbox.remove());
  return sandbox;
}

test.each([
  'keys list',
  'keys create --surface bulkfill --account demo',
  'keys revoke some-id',
  'keys rotate some-id',
  'accounts list',
  'accounts set demo --active true',
  'login-link',
  'audit verify',
  'audit export -o audit.ndjson',
  'secrets status',
  'secrets rotate',
  'secrets rotate --seal',
  'secrets retire',
  'export copy',
])(
  '[OPS63] in a folder without an installation, `%s`: says where it looked and creates nothing',
  async (command) => {
    const sandbox = await emptyFolder();
    const run = await sandbox.run([...command.split(' '), '--json']);
    expect([run.status, run.json().code]).toEqual([1, 'NO_INSTALLATION']);
    for (const part of [sandbox.path('data'), 'DATABASE_URL', 'ROWPRESS_DATA_DIR', 'serve'])
      expect(run.json().message).toContain(part);
    expect(run.stderr).not.toContain('    at ');
    expect(readdirSync(sandbox.folder)).toEqual([]);
  },
);

test('[OPS64] doctor and config in a folder without an installation: report it and create nothing', async () => {
  const sandbox = await emptyFolder();
  const doctor = await sandbox.run(['doctor', '--json']);
  expect(doctor.status).toBe(0);
  const { checks } = doctor.json() as { checks: { name: string; state: string; detail: string }[] };
  const found = (wanted: string) => checks.find(({ name }) => name === wanted);
  expect(found('data directory')).toMatchObject({
    state: 'warning',
    detail: `${sandbox.path('data')} does not exist yet`,
    advice: expect.stringContaining('rowpress serve'),
  });
  expect(found('blob store')).toMatchObject({ state: 'ok', detail: expect.stringContaining('first start') });
  expect(found('database')).toMatchObject({ detail: expect.stringContaining('first start') });
  expect((await sandbox.run(['config', '--json'])).status).toBe(0);
  expect(readdirSync(sandbox.folder)).toEqual([]);
});

test('[OPS63] migrate: creates the database, and the other commands then find it', async () => {
  const sandbox = await emptyFolder();
  expect((await sandbox.run(['migrate', '--json'])).json()).toMatchObject({ migrated: expect.any(Array) });
  expect((await sandbox.run(['keys', 'list', '--json'])).json()).toEqual({ keys: [] });
});
