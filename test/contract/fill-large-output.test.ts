import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { box, layoutOf, runFill } from '../support/fill-cli.ts';
import { PdfBuilder } from '../support/pdf-builder.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';

let sandbox: CliSandbox;
beforeAll(async () => {
  sandbox = await cliSandbox();
});
afterAll(() => sandbox.remove());

const ROWS = 1300;
const SOURCE_BYTES = 2_000_000;

/** A page with an incompressible picture, so that every row of the archive is as large as the source. */
function incompressiblePdf(): Uint8Array {
  const noise = Buffer.alloc(SOURCE_BYTES);
  for (let at = 0; at < noise.length; at += 32)
    createHash('sha256').update(String(at)).digest().copy(noise, at);
  const pdf = new PdfBuilder();
  const [root, tree] = [pdf.reserve(), pdf.reserve()];
  const picture = pdf.add(
    `<</Type/XObject/Subtype/Image/Width ${SOURCE_BYTES / 1000}/Height 1000/BitsPerComponent 8/ColorSpace/DeviceGray>>`,
    noise,
  );
  const content = pdf.add('<<>>', 'q 9 0 0 9 0 0 cm /Im Do Q');
  const page = pdf.add(
    `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]/Contents ${content} 0 R/Resources<</XObject<</Im ${picture} 0 R>>>>>>`,
  );
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`);
  return pdf.build(root);
}

describe('[FILL110] an archive of more than 2 GiB', () => {
  it('a large source and many rows: the run ends and counts every byte', async () => {
    const run = await runFill(sandbox, {
      pdf: incompressiblePdf(),
      layout: layoutOf([{ id: 'name', type: 'text', ...box, value: { column: 'column_0' } }]),
      rows: Array.from({ length: ROWS }, (_, index) => `row ${index}\n`).join(''),
      args: ['-o', '/dev/null'],
    });
    expect(run.stderr).toContain(`${ROWS} of ${ROWS} rows`);
    expect(run.status).toBe(0);
    expect(run.json().bytes).toBeGreaterThan(2.5e9);
  });
});
