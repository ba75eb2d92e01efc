import { NO_JOB_ASSETS } from '#fill/draw/images/job-assets.ts';
import { missingAsset } from '#fill/draw/images/missing-asset.ts';
import { looksLikePicture } from '#fill/draw/images/picture-value.ts';
import type { OverlayKind } from '../overlay-kind.ts';
import { compileSignatureOverlay, SIGNATURE_FACE } from './draw.ts';
import type { SignatureOverlay } from './schema.ts';
import { signatureTraits } from './traits.ts';

export const signatureKind = {
  type: 'signature',
  traits: signatureTraits,
  compile: (overlay, { pictures, faces }) => compileSignatureOverlay(overlay, pictures, faces),
  // A value that may be a name needs the face in which names are typed.
  faces: ({ value }, assets) =>
    'static' in value && looksLikePicture(value.static.trim(), { job: NO_JOB_ASSETS, assets })
      ? []
      : [SIGNATURE_FACE],
  staticProblem: ({ value }, assets) => missingAsset(value, assets),
} as const satisfies OverlayKind<SignatureOverlay>;
