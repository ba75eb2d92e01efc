import type { SignatureOverlay } from '#fill/kinds/signature/schema.ts';
import { signatureTraits } from '#fill/kinds/signature/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const signatureTool: KindTool<SignatureOverlay> = {
  name: 'Signature',
  badge: 'S',
  key: 'S',
  traits: signatureTraits,
};
