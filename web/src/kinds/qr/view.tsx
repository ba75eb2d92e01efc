import { QrCode } from 'lucide-react';
import type { QrOverlay } from '#fill/kinds/qr/schema.ts';
import { CodeContent } from '../../canvas/content/code-content.tsx';
import { FormatSection } from '../../inspector/format-section.tsx';
import type { KindView } from '../kind-view.ts';
import { QrSection } from './qr-section.tsx';

export const qrView: KindView<QrOverlay> = {
  Icon: QrCode,
  Content: ({ overlay, shown }) => <CodeContent overlay={overlay} value={shown.text} />,
  sections: { format: FormatSection, qr: QrSection },
};
