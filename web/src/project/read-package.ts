import type { OpenedPackage } from '#fill/package/open-package.ts';
import { serverSettings } from '../api/server-settings.ts';
import type { EngineRefusal } from '../engine/engine-client.ts';
import { engine } from '../engine/engine-client.ts';

/** Opens a saved package. This installation must trust its seal. */
export async function readPackage(file: Blob): Promise<{ ok: true; package: OpenedPackage } | EngineRefusal> {
  const { seal_public_keys } = await serverSettings();
  return engine.openPackage(new Uint8Array(await file.arrayBuffer()), seal_public_keys);
}

/** Returns advice for an error code, or undefined if the engine's message is enough. */
export function adviceFor(code: string): string | undefined {
  return {
    PDF_ENCRYPTED: 'Open it in a PDF reader, remove the password and save a copy; then drop the copy here.',
    PDF_INVALID: 'Print it to a new PDF or export it again from the program it came from.',
    PDF_TOO_MANY_PAGES: 'Split it into smaller files.',
    PACKAGE_TAMPERED: 'The file was changed after it was saved. Use the one that “Export .doqlo” downloaded.',
    PACKAGE_MALFORMED: 'Choose a file whose name ends in .doqlo, as downloaded by “Export .doqlo”.',
    PACKAGE_UNSUPPORTED: 'An operator can add the other installation’s key to ROWPRESS_TRUSTED_SEALS.',
    PACKAGE_INVALID: 'Save it again with this version of the editor.',
  }[code];
}
