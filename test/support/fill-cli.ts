import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import type { LayoutInput, Overlay } from '#fill/package/layout-schema.ts';
import type { ManifestHead, RowResult } from '#fill/results/manifest.ts';
import type { CliRun, CliSandbox } from './run-cli.ts';

export interface FilledArchive {
  readonly bytes: Uint8Array;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly manifest: ManifestHead & { readonly version: number; readonly row_results: readonly RowResult[] };
}

export const box = { page: 1, x: 72, y: 100, width: 220, height: 24 };

export function layoutOf(overlays: readonly object[], members: object = {}): LayoutInput {
  return { format: 'rowpress.layout', version: 1, overlays: overlays as Overlay[], ...members };
}

export interface FillInput {
  readonly pdf: Uint8Array;
  /** A layout, or the name of a package already in the sandbox. */
  readonly layout: LayoutInput | string;
  /** CSV text, or rows for a JSON file. */
  readonly rows: string | readonly object[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The arguments of `rowpress fill` for the `source.pdf` of a sandbox, a layout or package, and rows. */
export function fillArguments(layout: string, rows: string, ...more: readonly string[]): string[] {
  return ['fill', '--pdf', 'source.pdf', '--layout', layout, '--rows', rows, ...more];
}

/** The arguments of `rowpress submit` for the same files, with the package `layout.doqlo`. */
export function submitArguments(rows: string, ...more: readonly string[]): string[] {
  return ['submit', '--pdf', 'source.pdf', '--package', 'layout.doqlo', '--rows', rows, ...more];
}

/** Runs `rowpress fill --json` on these inputs; writes `out.zip` unless the arguments name another output. */
export async function runFill(sandbox: CliSandbox, input: FillInput): Promise<CliRun> {
  await sandbox.write('source.pdf', input.pdf);
  const layout = typeof input.layout === 'string' ? input.layout : 'layout.json';
  if (typeof input.layout !== 'string') await sandbox.write(layout, input.layout);
  const rows = typeof input.rows === 'string' ? 'rows.csv' : 'rows.json';
  await sandbox.write(rows, input.rows);
  const args = input.args ?? [];
  const output = args.includes('-o') ? [] : ['-o', 'out.zip'];
  return sandbox.run(fillArguments(layout, rows, '--json', ...output, ...args), input.env);
}

/** Returns the archive of a run that must succeed. */
export async function fill(sandbox: CliSandbox, input: FillInput): Promise<FilledArchive> {
  const run = await runFill(sandbox, input);
  if (run.status !== 0) throw new Error(`fill ended with ${run.status}: ${run.stdout}${run.stderr}`);
  return openArchive(await sandbox.read('out.zip'));
}

export function openArchive(bytes: Uint8Array): FilledArchive {
  const files = unzipSync(bytes);
  return { bytes, files, manifest: JSON.parse(new TextDecoder().decode(files['manifest.json'])) };
}

export const sha256 = (bytes: Uint8Array | undefined) =>
  createHash('sha256')
    .update(bytes ?? new Uint8Array(0))
    .digest('hex');
