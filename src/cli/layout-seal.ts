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

/** `layout seal`: seals layout.json, assets and the PDF's metadata with this installation's key. */
export async function sealLayout(options: SealOptions, settings: SealKeySettings): Promise<void> {
  const { json } = options;
  const overwriting = await spareInputs([options.layout, options.pdf], [options.output]);
  if (overwriting !== null) return refuse(overwriting, json);
  const layoutFile = await readInput(options.layout);
  if (!layoutFile.ok) return refuse(layoutFile, json);
  const parsed = parseLayout(layoutFile.bytes);
  if (!parsed.ok) return refuse(parsed, json);
  const pdf = await readInput(options.pdf);
  if (!pdf.ok) return refuse(pdf, json);
  const source = await inspectInChild(pdf.bytes);
  if (!source.ok) return refuse(source, json);
  const assets = await readAssets(
    options.assets ?? join(dirname(options.layout), 'assets'),
    options.assets !== undefined,
  );
  if (!assets.ok) return refuse(assets, json);

  const problems = await findLayoutProblems(parsed.layout, source.metadata, assets.files);
  const warnings = problems.map(describe);
  for (const warning of warnings) tell(`warning: ${warning}`);
  if (options.strict && warnings.length > 0) {
    return refuse(
      { code: 'PACKAGE_INVALID', message: `Not sealed (--strict): ${warnings.join('; ')}` },
      json,
    );
  }

  const key = await loadSealKey(settings);
  if (!key.ok) return refuse({ code: 'SEAL_KEY_INVALID', message: key.message }, json);
  if (key.created) tell(`created a seal key in ${settings.dataDir}`);
  const sealed = sealPackage({
    layout: parsed.layout,
    source: source.metadata,
    assets: assets.files,
    secretKey: key.secretKey,
    codec: nativeCodec,
  });
  if (!sealed.ok) return refuse(sealed, json);
  const unwritten = await writeOutput(options.output, sealed.bytes);
  if (unwritten !== null) return refuse(unwritten, json);

  const sha256 = nativeCodec.sha256Hex(sealed.bytes);
  const report = {
    package: options.output,
    size_bytes: sealed.bytes.length,
    sha256,
    sealed_by: key.publicKey,
    page_count: source.metadata.page_count,
    overlay_count: parsed.layout.overlays.length,
    form_field_count: parsed.layout.form_fields.length,
    assets: [...assets.files.keys()],
    warnings,
  };
  if (options.output === '-') return;
  if (json) printJson(report);
  else
    printLines([
      `sealed ${options.output}: ${report.overlay_count} overlays, ${report.form_field_count} form fields`,
    ]);
}

function describe({ overlay_id: overlay, form_field_id: field, message }: LayoutProblem): string {
  return overlay === undefined ? `form field ${field}: ${message}` : `overlay ${overlay}: ${message}`;
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
