import { Barcode } from 'lucide-react';
import { lazy } from 'react';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import { FormatSection } from '../../inspector/format-section.tsx';
import type { KindView } from '../kind-view.ts';
import { BarcodeContent } from './barcode-content.tsx';

/** Loaded with the first selected barcode: it contains the names of all symbologies. */
const BarcodeSection = lazy(async () => ({
  default: (await import('./barcode-section.tsx')).BarcodeSection,
}));

export const barcodeView: KindView<BarcodeOverlay> = {
  Icon: Barcode,
  Content: BarcodeContent,
  sections: { format: FormatSection, barcode: BarcodeSection },
};
