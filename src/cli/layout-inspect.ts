import { nativeCodec } from '#fill/node/native-codec.ts';
import { type SealKeySettings, trustedKeys } from '#fill/node/seal-key.ts';
import type { SourceFormField } from '#fill/package/layout-schema.ts';
import { openPackage } from '#fill/package/open-package.ts';
import { printJson, printLines, refuse } from './answer.ts';
import { readInput } from './files.ts';
import { choicesOf } from './form-choices.ts';

/** `layout inspect`: shows the contents of a package, after the same strict checks as in a job. */
export async function inspectPackage(path: string, json: boolean, settings: SealKeySettings): Promise<void> {
  const file = await readInput(path);
  if (!file.ok) return refuse(file, json);
  const trusted = await trustedKeys(settings);
  if (!trusted.ok) return refuse({ code: 'SEAL_KEY_INVALID', message: trusted.message }, json);
  const opened = openPackage(file.bytes, { codec: nativeCodec, trustedKeys: trusted.keys });
  if (!opened.ok) return refuse(opened, json);

  const { layout, assets, sealedBy } = opened.package;
  const sha256 = nativeCodec.sha256Hex(file.bytes);
  if (json) {
    return printJson({
      sha256,
      size_bytes: file.bytes.length,
      sealed_by: sealedBy,
      assets: [...assets].map(([name, bytes]) => ({ name, size_bytes: bytes.length })),
      layout,
    });
  }
  const { source } = layout;
  const fields = new Map(source?.form_fields.map((field) => [field.name, field]));
  printLines([
    `package    ${path} (${file.bytes.length} bytes, sha256 ${sha256})`,
    `sealed by  ${sealedBy}`,
    ...(source === undefined ? [] : [`source     ${source.page_count} pages, sha256 ${source.sha256}`]),
    ...layout.columns.map((column) => `column     ${column.key}  ${column.label}`),
    ...layout.overlays.map((overlay) => `overlay    ${overlay.id}  ${overlay.type} on page ${overlay.page}`),
    ...layout.form_fields.map(({ id, field }) => `form field ${id}  ${field}${kindOf(fields.get(field))}`),
    ...[...assets].map(([name, bytes]) => `asset      ${name} (${bytes.length} bytes)`),
  ]);
}

/** Describes the field in the source, as stored in the package. */
function kindOf(field: SourceFormField | undefined): string {
  if (field === undefined) return '';
  const choices = choicesOf(field);
  return `  ${field.type}${choices === '' ? '' : `: ${choices}`}`;
}
