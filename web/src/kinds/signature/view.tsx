import { Signature } from 'lucide-react';
import type { SignatureOverlay } from '#fill/kinds/signature/schema.ts';
import { PictureSection } from '../../inspector/picture-section.tsx';
import type { KindView } from '../kind-view.ts';
import { SignatureContent } from './signature-content.tsx';

export const signatureView: KindView<SignatureOverlay> = {
  Icon: Signature,
  Content: SignatureContent,
  sections: { picture: PictureSection },
  valueTitle: 'Name or picture',
};
