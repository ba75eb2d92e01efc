import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutJsonSchemaText } from '#fill/package/layout-json-schema.ts';
import { parseLayout } from '#fill/package/parse-layout.ts';
import { box, fill, layoutOf, runFill, sha256 } from '../support/fill-cli.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';

let sandbox: CliSandbox;
let other: CliSandbox;
const pdf = sourcePdf({
  pages: [{}, {}],
  fields: [
    { name: 'employee.name', kind: 'text', rects: [[50, 700, 250, 720]] },
    { name: 'agree', kind: 'checkbox', rects: [[50, 650, 60, 660]], options: [['Yes', 'Yes']] },
    {
      name: 'country',
      kind: 'dropdown',
      rects: [[50, 600, 250, 620]],
      options: [
        ['DE', 'Germany'],
        ['FR', 'France'],
      ],
    },
  ],
});
const layout = layoutOf([
  { id: 'name', type: 'text', ...box, value: { column: 'column_0' } },
  { id: 'logo', type: 'image', ...box, y: 300, value: { static: 'logo.png' } },
]);
const seal = (output: string, ...args: string[]) =>
  sandbox.run([
    'layout',
    'seal',
    '--layout',
    'layout.json',
    '--pdf',
    'form.pdf',
    '-o',
    output,
    '--json',
    ...args,
  ]);

beforeAll(async () => {
  [sandbox, other] = await Promise.all([cliSandbox(), cliSandbox()]);
  await sandbox.write('form.pdf', pdf);
  await sandbox.write('layout.json', layout);
  await mkdir(sandbox.path('assets'));
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  await sandbox.write('assets/logo.png', Buffer.from(dot, 'base64'));
});
afterAll(() => Promise.all([sandbox.remove(), other.remove()]));

describe('[PKG9] rowpress layout', () => {
  it('seal: a package with the assets and the metadata of the PDF, the same bytes each time', async () => {
    const run = await seal('a.doqlo');
    expect(run.status).toBe(0);
    const bytes = await sandbox.read('a.doqlo');
    expect(run.json()).toMatchObject({
      package: 'a.doqlo',
      size_bytes: bytes.length,
      sha256: sha256(bytes),
      page_count: 2,
      overlay_count: 2,
      assets: ['assets/logo.png'],
      warnings: [],
    });
    expect((await stat(sandbox.path('data/seal.key'))).mode & 0o777).toBe(0o600);
    await seal('b.doqlo');
    expect(sha256(await sandbox.read('b.doqlo'))).toBe(sha256(bytes));

    const shown = await sandbox.run(['layout', 'inspect', 'a.doqlo', '--json']);
    expect(shown.status).toBe(0);
    expect(shown.json()).toMatchObject({
      sealed_by: run.json().sealed_by,
      assets: [{ name: 'assets/logo.png' }],
      layout: {
        overlays: [{ id: 'name' }, { id: 'logo' }],
        source: {
          sha256: sha256(pdf),
          page_count: 2,
          pages: [{ box: [0, 0, 595, 842], rotation: 0 }, {}],
          form_fields: [
            { name: 'employee.name', type: 'text' },
            { name: 'agree', type: 'checkbox' },
            { name: 'country', type: 'dropdown' },
          ],
        },
      },
    });
    const plain = await sandbox.run(['layout', 'inspect', 'a.doqlo']);
    expect(plain.stdout).toContain('name  text on page 1');
  });

  it('a layout with overlays that every row would skip: a warning, and an error with --strict', async () => {
    await sandbox.write(
      'faulty.json',
      layoutOf(
        [
          { id: 'bar', type: 'barcode', symbology: 'ean13', ...box, value: { static: 'letters' } },
          { id: 'qr', type: 'qr', ...box, value: { static: '' } },
          { id: 'late', type: 'text', ...box, page: 3, value: { static: 'x' } },
          { id: 'pic', type: 'image', ...box, value: { static: 'gone.png' } },
        ],
        { form_fields: [{ id: 'f', field: 'nobody', value: { static: 'x' } }] },
      ),
    );
    const args = ['layout', 'seal', '--layout', 'faulty.json', '--pdf', 'form.pdf', '--json'];
    const lenient = await sandbox.run([...args, '-o', 'faulty.doqlo']);
    expect(lenient.status).toBe(0);
    for (const id of ['bar', 'qr', 'late', 'pic', 'f']) {
      expect(lenient.stderr).toMatch(new RegExp(`^warning: .*\\b${id}: `, 'm'));
    }
    expect(lenient.json().warnings).toHaveLength(5);
    const strict = await sandbox.run([...args, '-o', 'strict.doqlo', '--strict']);
    expect([strict.status, strict.json().code]).toEqual([1, 'PACKAGE_INVALID']);
    expect(existsSync(sandbox.path('strict.doqlo'))).toBe(false);
  });

  it('an invalid layout, an unreadable PDF and wrong usage: rejected, and no file is left', async () => {
    await sandbox.write('bad.json', { ...layout, overlys: [] });
    await sandbox.write('junk.pdf', 'hello');
    const bad = await sandbox.run([
      'layout',
      'seal',
      '--layout',
      'bad.json',
      '--pdf',
      'form.pdf',
      '-o',
      'x.doqlo',
      '--json',
    ]);
    expect([bad.status, bad.json().code]).toEqual([1, 'PACKAGE_INVALID']);
    const junk = await sandbox.run([
      'layout',
      'seal',
      '--layout',
      'layout.json',
      '--pdf',
      'junk.pdf',
      '-o',
      'x.doqlo',
      '--json',
    ]);
    expect([junk.status, junk.json().code]).toEqual([1, 'PDF_INVALID']);
    const missing = await sandbox.run([
      'layout',
      'seal',
      '--layout',
      'none.json',
      '--pdf',
      'form.pdf',
      '-o',
      'x.doqlo',
    ]);
    expect(missing.status).toBe(2);
    expect((await sandbox.run(['layout', 'seal', '--pdf', 'form.pdf'])).status).toBe(2);
    expect((await sandbox.run(['layout', 'steal'])).status).toBe(2);
    expect((await readdir(sandbox.folder)).filter((name) => name.startsWith('x.'))).toEqual([]);
  });

  it('a form: a proposed layout that is valid and maps each field', async () => {
    const run = await sandbox.run(['layout', 'from-form', 'form.pdf']);
    expect(run.status).toBe(0);
    const parsed = parseLayout(run.stdout);
    expect(parsed).toMatchObject({
      ok: true,
      layout: {
        columns: [{ key: 'column_0', label: 'employee.name' }, { label: 'agree' }, { label: 'country' }],
        form_fields: [
          { field: 'employee.name', value: { column: 'column_0' } },
          { field: 'agree', value: { column: 'column_1' } },
          { field: 'country', value: { column: 'column_2' } },
        ],
      },
    });
    await sandbox.run(['layout', 'from-form', 'form.pdf', '-o', 'proposed.json']);
    expect(new TextDecoder().decode(await sandbox.read('proposed.json'))).toBe(run.stdout);
  });

  it('[FILL102] a form with 478 fields: maps every one of them', async () => {
    const fields = Array.from({ length: 478 }, (_, index) => ({
      name: `f${index}`,
      kind: 'text' as const,
      rects: [[50, 700, 250, 720]] as const,
    }));
    await sandbox.write('wide.pdf', sourcePdf({ fields }));
    const run = await sandbox.run(['layout', 'from-form', 'wide.pdf', '-o', 'wide.json', '--json']);
    expect(run.status).toBe(0);
    expect(run.json()).toMatchObject({ layout: 'wide.json', form_field_count: 478, left_out: [] });
    const parsed = parseLayout(await sandbox.read('wide.json'));
    expect(parsed.ok && parsed.layout.form_fields.length).toBe(478);
  });

  it('[FILL102] more fields than columns: names what is left out', async () => {
    const run = await sandbox.run(['layout', 'from-form', 'form.pdf', '-o', 'cut.json', '--json'], {
      ROWPRESS_MAX_COLUMNS: '2',
    });
    expect(run.status).toBe(0);
    expect(run.json()).toMatchObject({
      form_field_count: 2,
      left_out: [{ field: 'country', type: 'dropdown', reason: 'columns' }],
    });
    expect(run.stderr).toMatch(/^warning: 1 form fields were omitted.*ROWPRESS_MAX_COLUMNS.*: country$/m);
  });

  it('[FILL101] the fields of a form: shown with their choices', async () => {
    const rects = [
      [50, 550, 60, 560],
      [80, 550, 90, 560],
    ] as const;
    const options = [
      ['0', '0'],
      ['1', '1'],
    ] as const;
    const choices = sourcePdf({
      fields: [{ name: 'twice', kind: 'radio', rects, options, extra: '/Opt[(Yes)(Yes)]' }],
    });
    await sandbox.write('choices.pdf', choices);
    const proposed = await sandbox.run(['layout', 'from-form', 'choices.pdf', '-o', 'choices.json']);
    expect(proposed.stdout).toContain('column_0  twice  radio: one of "Yes", "Yes#2"\n');
    const json = await sandbox.run(['layout', 'from-form', 'choices.pdf', '-o', 'choices.json', '--json']);
    expect(json.json()).toMatchObject({
      fields: [{ column: 'column_0', field: 'twice', options: [{ value: 'Yes' }, { value: 'Yes#2' }] }],
    });
    const args = ['--layout', 'choices.json', '--pdf', 'choices.pdf', '-o', 'choices.doqlo'];
    expect((await sandbox.run(['layout', 'seal', ...args])).status).toBe(0);
    const inspected = await sandbox.run(['layout', 'inspect', 'choices.doqlo']);
    expect(inspected.stdout).toContain('form field field_0  twice  radio: one of "Yes", "Yes#2"\n');
  });

  it('output to a pipe or a device: written into it, which is not replaced', async () => {
    await promisify(execFile)('mkfifo', [sandbox.path('pipe')]);
    const reading = readFile(sandbox.path('pipe'), 'utf8');
    const run = await sandbox.run(['layout', 'from-form', 'form.pdf', '-o', 'pipe']);
    expect(run.status).toBe(0);
    expect(parseLayout(await reading).ok).toBe(true);
    expect((await stat(sandbox.path('pipe'))).isFIFO()).toBe(true);
  });

  it('schema: prints the JSON Schema', async () => {
    expect((await sandbox.run(['layout', 'schema'])).stdout).toBe(layoutJsonSchemaText());
  });
});

describe('a sealed package in a run', () => {
  it('[PKG3] a sealed package: filled, and named in the manifest', async () => {
    await seal('a.doqlo');
    const { manifest } = await fill(sandbox, { pdf, layout: 'a.doqlo', rows: 'Ann\n' });
    expect(manifest.source.package_sha256).toBe(sha256(await sandbox.read('a.doqlo')));
    expect(manifest.warnings).toEqual([]);
    expect(manifest.summary).toMatchObject({ success_rows: 1, applied_overlay_count: 2 });
  });

  it('[PKG4] a package that was edited or cut off, and a file that is not a package: rejected', async () => {
    await seal('a.doqlo');
    const bytes = await sandbox.read('a.doqlo');
    const files = unzipSync(bytes);
    const text = new TextDecoder().decode(files['layout.json']).replace('"x": 72', '"x": 73');
    const variants: [string, Uint8Array, string][] = [
      [
        'edited.doqlo',
        zipSync({ ...files, 'layout.json': new TextEncoder().encode(text) }),
        'PACKAGE_TAMPERED',
      ],
      ['repacked.doqlo', zipSync(files), 'PACKAGE_TAMPERED'],
      ['cut.doqlo', bytes.subarray(0, bytes.length - 30), 'PACKAGE_MALFORMED'],
      [
        'junk.doqlo',
        new TextEncoder().encode('PK\u0003\u0004 but not really a package'),
        'PACKAGE_MALFORMED',
      ],
    ];
    for (const [name, content, code] of variants) {
      await sandbox.write(name, content);
      const run = await runFill(sandbox, { pdf, layout: name, rows: 'Ann\n' });
      expect([name, run.status, run.json().code]).toEqual([name, 1, code]);
      const inspected = await sandbox.run(['layout', 'inspect', name, '--json']);
      expect([name, inspected.status, inspected.json().code]).toEqual([name, 1, code]);
    }
  });

  it('[PKG8] a package of another installation: rejected until the operator trusts its key', async () => {
    const sealedBy = String((await seal('a.doqlo')).json().sealed_by);
    await other.write('a.doqlo', await sandbox.read('a.doqlo'));
    const refused = await runFill(other, { pdf, layout: 'a.doqlo', rows: 'Ann\n' });
    expect([refused.status, refused.json().code]).toEqual([1, 'PACKAGE_UNSUPPORTED']);
    expect(existsSync(other.path('data/seal.key'))).toBe(false);
    const trusting = await runFill(other, {
      pdf,
      layout: 'a.doqlo',
      rows: 'Ann\n',
      env: { ROWPRESS_TRUSTED_SEALS: sealedBy },
    });
    expect(trusting.status).toBe(0);
  });
});

describe('[PKG7] another PDF under a sealed package', () => {
  const plain = layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }], {
    form_fields: [
      { id: 'f', field: 'employee.name', value: { column: 'column_0' } },
      { id: 'g', field: 'country', value: { column: 'column_1' } },
    ],
  });
  const changed = (change: Parameters<typeof sourcePdf>[0]) =>
    sourcePdf({ pages: [{}, {}], fields: FIELDS, ...change });
  const FIELDS = [
    { name: 'employee.name', kind: 'text' as const, rects: [[50, 700, 250, 720] as const] },
    { name: 'country', kind: 'text' as const, rects: [[50, 600, 250, 620] as const] },
  ];

  it('another PDF than the sealed one: filled, with its differences as top-level warnings', async () => {
    await sandbox.write('layout.json', plain);
    await sandbox.write('form.pdf', changed({}));
    expect((await seal('p.doqlo')).status).toBe(0);
    const warningsOf = async (submitted: Uint8Array) => {
      const { manifest } = await fill(sandbox, { pdf: submitted, layout: 'p.doqlo', rows: 'Ann,x\n' });
      return manifest.warnings.map(({ code, page }) => (page === undefined ? code : `${code} ${page}`));
    };
    expect(await warningsOf(changed({}))).toEqual([]);
    expect(await warningsOf(changed({ pages: [{ text: 'another' }, {}] }))).toEqual([
      'PDF_FINGERPRINT_CHANGED',
    ]);
    expect(await warningsOf(changed({ pages: [{ rotate: 90, cropBox: [0, 0, 500, 700] }, {}, {}] }))).toEqual(
      ['PDF_FINGERPRINT_CHANGED', 'PAGE_COUNT_CHANGED', 'PAGE_SIZE_CHANGED 1', 'PAGE_ROTATION_CHANGED 1'],
    );
    expect(
      await warningsOf(
        changed({ fields: [{ name: 'country', kind: 'checkbox', rects: [[50, 600, 60, 610]] }] }),
      ),
    ).toEqual(['PDF_FINGERPRINT_CHANGED', 'FORM_FIELD_MISSING', 'FORM_FIELD_TYPE_CHANGED']);
  });
});
