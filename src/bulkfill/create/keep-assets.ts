import { inspectAssets } from '../../fill/node/assets/inspect-assets.ts';
import { refuse } from '../../lib/errors/api-error.ts';
import type { ExportInput } from '../export-input.ts';
import type { CreateParts } from './create-parts.ts';
import type { FilePart } from './read-form.ts';

/**
 * Checks a ZIP of pictures to its last byte and stores it with an index, so that workers neither parse it nor meet a
 * damaged one.
 */
export async function keepAssets(
  { blobs, judge, settings }: CreateParts,
  part: FilePart,
): Promise<NonNullable<ExportInput['assets']>> {
  const limits = {
    maxEntries: settings.maxAssetsEntries,
    maxEntryBytes: settings.maxAssetsEntryBytes,
    maxBytes: settings.maxAssetsBytes,
  };
  const checked = await judge.inTurn(() => inspectAssets(part.file.path, limits));
  if (!checked.ok)
    throw refuse('bulkfill', 'INVALID_ASSETS', `assets_file cannot be used: ${checked.reason}.`);
  const index = await blobs.put(Buffer.from(JSON.stringify(checked.entries)));
  await blobs.keep(part.file);
  return { zip: part.sha256, index: index.digest };
}
