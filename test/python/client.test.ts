import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookHeaders } from '#engine/webhooks/webhook-scheme.ts';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { missingJudges } from '../support/judges.ts';
import { schemeNamed } from '../support/product.ts';
import { CLIENT, folderWith, hasPython, PYTHON, runPython, unittest } from '../support/python.ts';
import { authority } from '../support/webhooks.ts';

/** Deliveries signed by the code that sends them. */
function signedWebhooks(): string {
  const body = JSON.stringify({ id: 'evt-1', type: 'export_job.completed', note: 'grüße ✓' });
  const [secret, older] = ['a new secret', 'an older secret'].map(
    (key) => `whsec_${Buffer.from(key).toString('base64')}`,
  ) as [string, string];
  const sign = (scheme: string, at: Date, secrets: readonly string[]) => ({
    headers: webhookHeaders(schemeNamed(scheme), {
      eventId: 'evt-1',
      type: 'export_job.completed',
      at,
      body: Buffer.from(body),
      secrets,
    }),
    body,
    secret,
    secrets,
  });
  const cases = (scheme: string) => ({
    current: sign(scheme, new Date(), [secret]),
    old: sign(scheme, new Date(Date.now() - 600_000), [secret]),
    rotating: sign(scheme, new Date(), [secret, older]),
  });
  return JSON.stringify({
    bulkfill: cases('bulkfill'),
    subscribers: cases('standard'),
    ingest: cases('ingest'),
  });
}

describe.skipIf(!hasPython)('the Python client', () => {
  let server: BulkfillServer;
  let files: Awaited<ReturnType<typeof folderWith>>;
  beforeAll(async () => {
    server = await startBulkfillServer();
    const { cert, key } = authority.issue(['localhost']);
    files = await folderWith({
      'ca.pem': authority.ca,
      'cert.pem': cert,
      'key.pem': key,
      'letter.pdf': letterPdf,
      'letter.doqlo': await seal(nameLayout, letterPdf),
      'webhooks.json': signedWebhooks(),
    });
  });
  afterAll(async () => {
    await server.stop();
    await files.remove();
  });

  test('[SDK51] [SDK52] [SDK53] a request that fails: is repeated only if that is safe, under the same key', () =>
    unittest(['tests.test_retries.Retries']));

  test('[SDK54] an error of any surface: has a code, a request id and retry guidance', () =>
    unittest(['tests.test_retries.Errors']));

  test('[SDK55] files, bytes and streams: are sent as they are read, the same in every attempt', () =>
    unittest(['tests.test_uploads.Sources']));

  test('[SDK64] an import: sends a UTF-8 file with the request and uploads any other file first', () =>
    unittest(['tests.test_uploads.Imports']));

  test('[SDK65] items of an iterator: are read once and sent as lines', () =>
    unittest(['tests.test_uploads.Items']));

  test('[SDK56] a job: is awaited with events, then by polling, and returned even if it failed', () =>
    unittest(['tests.test_waiting.Waiting']));

  test('[SDK57] a list: reads every page as it is iterated', () => unittest(['tests.test_waiting.Lists']));

  test('[SDK58] a download: resumes, is checked, and appears only when it is complete', () =>
    unittest(['tests.test_downloads.Downloads']));

  test('[SDK59] a link: works whether it is absolute or relative; other origins get no key', () =>
    unittest(['tests.test_downloads.Links']));

  test('[SDK60] [SDK80] a webhook: is accepted only with a matching signature and a recent time', () =>
    unittest(['tests.test_webhooks'], { ROWPRESS_TEST_WEBHOOKS: join(files.path, 'webhooks.json') }));

  test('[SDK50] the methods: work against the server, in one or many threads', async () => {
    const keyOf = async (surface: string) => (await server.account({ surface })).key;
    await unittest(['tests.test_server'], {
      ROWPRESS_TEST_URL: server.url,
      ROWPRESS_TEST_PDF: join(files.path, 'letter.pdf'),
      ROWPRESS_TEST_PACKAGE: join(files.path, 'letter.doqlo'),
      ROWPRESS_TEST_KEY_BULKFILL: await keyOf('bulkfill'),
      ROWPRESS_TEST_KEY_SUBSCRIBERS: await keyOf('subscribers'),
      ROWPRESS_TEST_KEY_INGEST: await keyOf('ingest'),
    });
  });

  test('[SDK70] a project: is created under one key, and updated again only if the version is known', () =>
    unittest(['tests.test_projects']));

  test('[SDK69] TLS: the context of the caller decides which certificates are trusted', () =>
    unittest(['tests.test_tls'], { ROWPRESS_TEST_TLS: files.path }));

  test('[SDK62] pip: installs the client into an empty environment without a network', async () => {
    const version = /"([\d.]+)"/.exec(readFileSync(join(CLIENT, 'rowpress/version.py'), 'utf8'))?.[1];
    const environment = join(files.path, 'venv');
    execFileSync(PYTHON, ['-m', 'venv', environment]);
    const python = join(environment, 'bin/python');
    const offline = ['--no-index', '--no-cache-dir', '--disable-pip-version-check', '--quiet'];
    execFileSync(python, ['-m', 'pip', 'wheel', ...offline, '--wheel-dir', files.path, CLIENT]);
    execFileSync(python, [
      '-m',
      'pip',
      'install',
      ...offline,
      join(files.path, `rowpress-${version}-py3-none-any.whl`),
    ]);
    const probe =
      'import rowpress, pathlib; print(rowpress.__version__, pathlib.Path(rowpress.__file__).with_name("py.typed").exists())';
    expect(execFileSync(python, ['-c', probe], { cwd: files.path, encoding: 'utf8' })).toBe(
      `${version} True\n`,
    );
    expect(readdirSync(CLIENT)).not.toContain('dist');
  });

  test('[SDK50] the sources: use only the standard library and the syntax of Python 3.9', async () => {
    const probe = `
import ast, pathlib, sys
for path in sorted(pathlib.Path("rowpress").glob("*.py")):
    tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 9))
    tree.body = [node for node in tree.body if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")]
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module]
        for name in names:
            assert name.split(".")[0] in sys.stdlib_module_names, f"{path} imports {name}"
print("checked")`;
    expect(await runPython(['-c', probe])).toMatchObject({ code: 0, stdout: 'checked\n' });
  });

  test.skipIf(missingJudges('mypy').length > 0)('[SDK50] the types: pass mypy --strict', () => {
    const out = execFileSync('mypy', ['--strict', '--cache-dir', join(files.path, 'mypy'), 'rowpress'], {
      cwd: CLIENT,
      encoding: 'utf8',
    });
    expect(out).toContain('Success');
  });
});
