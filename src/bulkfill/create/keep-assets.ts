import { assetLimitsOf } from '#fill/draw/images/asset-limits.ts';
import { inspectAssets } from '#fill/node/assets/inspect-assets.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import { refuse } from '../errors.ts';
import type { ExportInput } from '../export-input.ts';
import type { CreateParts } from './create-parts.ts';
import type { FilePart } from './read-form.ts';

/**
 * Checks a ZIP of pictures to its last byte and stores it with an index. Workers do not parse it and never read a
 * damaged one.
 */
export async function keepAssets(
  { blobs, line, noteCostly, settings }: CreateParts,
  turn: Turn,
  part: FilePart,
): Promise<NonNullable<ExportInput['assets']>> {
  const limits = assetLimitsOf(settings);
  const checked = await line.run(turn, (signal) => inspectAssets(part.file.path, limits, signal));
  if (!checked.ok) {
    if (checked.costly) await noteCostly(turn.owner);
    throw refuse('INVALID_ASSETS', `assets_file cannot be used: ${checked.reason}.`);
  }
  const index = await blobs.put(turn.owner, Buffer.from(JSON.stringify(checked.entries)));
  const zip = await blobs.keep(turn.owner, part.file);
  return { zip: zip.digest, index: index.digest };
}
