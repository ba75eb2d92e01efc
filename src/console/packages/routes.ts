import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { clientGone } from '#http/client-gone.ts';
import { acceptMultipart, readMultipart } from '#http/multipart.ts';
import type {
  FieldRule,
  MultipartRefusal,
  MultipartRules,
  ReceivedPart,
  TempFile,
} from '#http/multipart-form.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import { recordAction } from '../audit/record-action.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { refuse } from '../errors.ts';
import type { OperatorApp } from '../operator-app.ts';
import { getOperator } from '../session/session-guard.ts';

const MAX_LAYOUT_BYTES = 4_000_000;

/** Seals a layout, a PDF and assets into a `.doqlo` package. */
export async function packageRoutes(app: OperatorApp, parts: ConsoleParts): Promise<void> {
  const { blobs, sealer, settings } = parts;
  await acceptMultipart(app);
  const rules = formRules(settings);
  const sink = { receive: (bytes: AsyncIterable<Uint8Array>) => blobs.receive(parts.room.guarded(bytes)) };

  // Each field has its own limit, checked while it is read.
  const bodyLimit = MAX_LAYOUT_BYTES + settings.maxPdfBytes + 2 * settings.maxPackageBytes;
  app.post('/packages', { config: { needs: 'design' }, bodyLimit }, async (request, reply) => {
    if (!request.isMultipart()) throw refuse('MALFORMED_REQUEST', 'The body must be multipart/form-data.');
    const form = await readMultipart(request, sink, rules);
    try {
      const { layout, pdf, ...assets } = Object.fromEntries(form.parts);
      if (layout?.kind !== 'text') throw missing('layout');
      if (pdf?.kind !== 'file') throw missing('pdf');
      const read = async ([name, part]: [string, (typeof assets)[string]]) =>
        [name, part.kind === 'file' ? await readFile(part.file.path) : new Uint8Array(0)] as const;
      const assetBytes = Object.values(assets).reduce((sum, part) => sum + sizeOf(part), 0);
      if (assetBytes > settings.maxPackageBytes) throw refuse('PACKAGE_TOO_LARGE');
      const turn = { owner: `operator:${getOperator(request).operatorId}`, signal: clientGone(reply) };
      const sealed = await parts.budget.run('console', 2 * (pdf.sizeBytes + assetBytes), async () => {
        const order = {
          layout: layout.value,
          pdf: await readFile(pdf.file.path),
          assets: new Map(await Promise.all(Object.entries(assets).sort(byName).map(read))),
        };
        return sealer.seal(order, turn);
      });
      if (!sealed.ok) {
        const members = sealed.details === undefined ? {} : { details: sealed.details };
        throw refuse(sealed.code, sealed.message, { members });
      }
      const sha256 = createHash('sha256').update(sealed.bytes).digest('hex');
      await recordAction(parts, request, { action: 'package.sealed', target: sha256 });
      return await reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="layout.doqlo"',
          'cache-control': 'private, no-store',
          'x-package-sha256': sha256,
        })
        .send(Buffer.from(sealed.bytes));
    } finally {
      await form.discard();
    }
  });
}

const sizeOf = (part: ReceivedPart<TempFile>) => (part.kind === 'file' ? part.sizeBytes : 0);
const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** Fonts and images come as `assets` or `fonts` with a file name, or under the name they have in the package. */
function formRules({ maxPdfBytes, maxPackageBytes }: ConsoleParts['settings']): MultipartRules {
  const asset: FieldRule = { kind: 'file', maxBytes: maxPackageBytes };
  return {
    fields: {
      layout: { kind: 'text', maxBytes: MAX_LAYOUT_BYTES },
      pdf: { kind: 'file', maxBytes: maxPdfBytes },
    },
    nameFile(field, fileName) {
      if (field.startsWith('assets/')) return { name: field, rule: asset };
      if (field !== 'assets' && field !== 'fonts') return undefined;
      return { name: `assets/${fileName ?? ''}`, rule: asset };
    },
    refuse: formRefusal,
  };
}

function formRefusal(refusal: MultipartRefusal): ApiError {
  if (refusal.problem === 'malformed') return refuse('MALFORMED_REQUEST', refusal.detail);
  const { field, problem } = refusal;
  const members = { field };
  if (problem === 'tooLarge') {
    const code =
      field === 'pdf' ? 'PDF_TOO_LARGE' : field === 'layout' ? 'PAYLOAD_TOO_LARGE' : 'PACKAGE_TOO_LARGE';
    return refuse(code, `${field} is too large.`, { members });
  }
  const reason = {
    unknown: 'is not a known field',
    duplicate: 'was sent twice',
    notText: 'is not UTF-8 text',
  }[problem];
  return refuse('INVALID_FIELD', `${field} ${reason}.`, { members });
}

const missing = (field: string) => refuse('INVALID_FIELD', `${field} is missing.`, { members: { field } });
