import { SEAL_SCOPE } from '#engine/keys/key-kinds.ts';
import type { LayoutProblem } from '#fill/layout-problems.ts';
import type { Principal } from '#http/principal.ts';
import type { Turn } from '#lib/fair-turnstile.ts';
import { type InputFile, uploadedFile } from '../create/input-file.ts';
import { refuse } from '../errors.ts';
import type { ProjectForm } from './project-form.ts';
import type { ProjectParts } from './project-parts.ts';

/**
 * Rejects a layout unless the key may seal: a seal says that this installation made the package, so that not every key
 * that fills documents may create one. An operator (`*`) can seal in the editor anyway.
 */
export function requireSealScope({ scopes }: Pick<Principal, 'scopes'>, { layout }: ProjectForm): void {
  if (layout === undefined || scopes.includes('*') || scopes.includes(SEAL_SCOPE)) return;
  throw refuse(
    'SEAL_NOT_ALLOWED',
    'layout needs a key that may seal layouts. Send doqlo_file, or create a key: rowpress keys create --surface bulkfill --seal.',
  );
}

const MAX_NAMED_PROBLEMS = 3;
/** The PDF and the package are in memory at the same time. */
const SEAL_FACTOR = 2;

/** Seals a layout for a PDF, with the assets of an earlier package. Every mistake is an error, as in the editor. */
export async function sealLayout(
  { sealer, blobs, budget, settings }: ProjectParts,
  turn: Turn,
  { layout, pdf, assets }: { layout: string; pdf: InputFile; assets: ReadonlyMap<string, Uint8Array> },
): Promise<{ readonly file: InputFile; discard(): Promise<void> }> {
  const bytes = SEAL_FACTOR * (pdf.sizeBytes + settings.maxPackageBytes);
  return budget.run(turn.owner, bytes, async () => {
    const sealed = await sealer.seal({ layout, pdf: await pdf.read(), assets }, turn);
    if (!sealed.ok) {
      if (sealed.code === 'PACKAGE_TOO_LARGE') throw refuse('PACKAGE_TOO_LARGE', sealed.message);
      if (sealed.code === 'LAYOUT_INVALID')
        throw refuse('PACKAGE_INVALID', `layout cannot be used: ${told(sealed.message, sealed.details)}`);
      throw refuse(pdfCode(sealed.code), sealed.message);
    }
    const staged = await blobs.receive(once(sealed.bytes));
    const { digest: sha256, sizeBytes } = staged;
    const upload = { file: staged, sha256, sizeBytes, fileName: undefined };
    return { file: uploadedFile(blobs, turn.owner, upload), discard: () => staged.discard() };
  });
}

function pdfCode(code: string): 'PDF_INVALID' | 'PDF_ENCRYPTED' | 'PDF_TOO_MANY_PAGES' {
  const known = (['PDF_INVALID', 'PDF_ENCRYPTED', 'PDF_TOO_MANY_PAGES'] as const).find((one) => one === code);
  if (known === undefined) throw new Error(`bug: the sealer refuses with ${code}`);
  return known;
}

function told(message: string, problems: readonly LayoutProblem[] = []): string {
  const named = problems.filter(({ path }) => path !== '');
  if (named.length === 0) return message;
  const shown = named.slice(0, MAX_NAMED_PROBLEMS).map((problem) => `${problem.path}: ${problem.message}`);
  const rest = named.length - shown.length;
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
