import { Barcode } from 'lucide-react';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import { FormatSection } from '../../inspector/format-section.tsx';
import type { KindView } from '../kind-view.ts';
import { BarcodeContent } from './barcode-content.tsx';
import { BarcodeSection } from './barcode-section.tsx';

export const barcodeView: KindView<BarcodeOverlay> = {
  Icon: Barcode,
  Content: BarcodeContent,
  sections: { format: FormatSection, barcode: BarcodeSection },
};
