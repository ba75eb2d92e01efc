import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findLayoutProblems, type LayoutProblem } from '#fill/layout-problems.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { inspectInChild } from '#fill/node/prepare-in-child.ts';
import { loadSealKey, type SealKeySettings } from '#fill/node/seal-key.ts';
import { parseLayout } from '#fill/package/parse-layout.ts';
import { sealPackage } from '#fill/package/seal-package.ts';
import { type CommandRefusal, printJson, printLines, refuse, tell } from './answer.ts';
import { readInput, writeOutput } from './files.ts';
import { spareInputs } from './spare-inputs.ts';

export interface SealOptions {
  readonly layout: string;
  readonly pdf: string;
  readonly output: string;
  readonly assets?: string;
  readonly strict: boolean;
  readonly json: boolean;
}

export interface SealedLayout {
  readonly bytes: Uint8Array;
  readonly report: Readonly<Record<string, unknown>>;
}

/** `layout seal`: seals layout.json, assets and the PDF's metadata with this installation's key. */
export async function sealLayout(options: SealOptions, settings: SealKeySettings): Promise<void> {
  const { json, output } = options;
  const overwriting = await spareInputs([options.layout, options.pdf], [output]);
  if (overwriting !== null) return refuse(overwriting, json);
  const sealed = await sealedLayout(options, settings);
  if (!sealed.ok) return refuse(sealed, json);
  const unwritten = await writeOutput(output, sealed.bytes);
  if (unwritten !== null) return refuse(unwritten, json);
  if (output === '-') return;
  const { report } = sealed;
  if (json) printJson({ package: output, ...report });
  else
    printLines([
      `sealed ${output}: ${report.overlay_count} overlays, ${report.form_field_count} form fields`,
    ]);
}

/** Returns the sealed package. Warnings go to standard error. */
export async function sealedLayout(
  options: Pick<SealOptions, 'layout' | 'pdf' | 'assets' | 'strict'>,
  settings: SealKeySettings,
): Promise<({ ok: true } & SealedLayout) | ({ ok: false } & CommandRefusal)> {
  const layoutFile = await readInput(options.layout);
  if (!layoutFile.ok) return layoutFile;
  const parsed = parseLayout(layoutFile.bytes);
  if (!parsed.ok) return parsed;
  const pdf = await readInput(options.pdf);
  if (!pdf.ok) return pdf;
  const source = await inspectInChild(pdf.bytes);
  if (!source.ok) return source;
  const assets = await readAssets(
    options.assets ?? join(dirname(options.layout), 'assets'),
    options.assets !== undefined,
  );
  if (!assets.ok) return assets;

  const problems = await findLayoutProblems(parsed.layout, source.metadata, assets.files);
  const warnings = problems.map(describe);
  for (const warning of warnings) tell(`warning: ${warning}`);
  if (options.strict && warnings.length > 0)
    return { ok: false, code: 'PACKAGE_INVALID', message: `Not sealed (--strict): ${warnings.join('; ')}` };

  const key = await loadSealKey(settings);
  if (!key.ok) return { ok: false, code: 'SEAL_KEY_INVALID', message: key.message };
  if (key.created) tell(`created a seal key in ${settings.dataDir}`);
  const sealed = sealPackage({
    layout: parsed.layout,
    source: source.metadata,
    assets: assets.files,
    secretKey: key.secretKey,
    codec: nativeCodec,
  });
  if (!sealed.ok) return sealed;
  return {
    ok: true,
    bytes: sealed.bytes,
    report: {
      size_bytes: sealed.bytes.length,
      sha256: nativeCodec.sha256Hex(sealed.bytes),
      sealed_by: key.publicKey,
      page_count: source.metadata.page_count,
      overlay_count: parsed.layout.overlays.length,
      form_field_count: parsed.layout.form_fields.length,
      assets: [...assets.files.keys()],
      warnings,
    },
  };
}

function describe({ overlay_id: overlay, form_field_id: field, message }: LayoutProblem): string {
  if (overlay !== undefined) return `overlay ${overlay}: ${message}`;
  return field === undefined ? message : `form field ${field}: ${message}`;
}

/**
 * Reads the assets. Every file of the folder goes into the package, because a row may name any of them. A missing
 * folder means no assets.
 */
async function readAssets(
  folder: string,
  required: boolean,
): Promise<{ ok: true; files: Map<string, Uint8Array> } | ({ ok: false } & CommandRefusal)> {
  const files = new Map<string, Uint8Array>();
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch {
    return required
      ? { ok: false, code: 'USAGE', message: `${folder} is not a readable folder` }
      : { ok: true, files };
  }
  for (const name of names) {
    const file = await readInput(join(folder, name));
    if (!file.ok) return file;
    files.set(`assets/${name}`, file.bytes);
  }
  return { ok: true, files };
}
