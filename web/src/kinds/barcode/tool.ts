import { leastModule } from '#fill/draw/codes/code-size.ts';
import type { BarcodeOverlay } from '#fill/kinds/barcode/schema.ts';
import { barcodeTraits } from '#fill/kinds/barcode/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const barcodeTool: KindTool<BarcodeOverlay> = {
  name: 'Barcode',
  badge: 'BC',
  key: 'B',
  traits: barcodeTraits,
  code: {
    // Symbols that depend on their box are encoded again when it changes.
    key: ({ symbology, width, height, human_readable }, value) => {
      const isShaped = human_readable === true || symbology === 'itf14' || symbology === 'swissqrcode';
      return `${symbology}${isShaped ? ` ${human_readable} ${width} ${height}` : ''}\n${value}`;
    },
    leastModule: ({ symbology }) => leastModule(symbology),
    encode: async (overlay, value) => {
      const { loadBarcodeEncoder } = await import('#fill/draw/codes/barcode-encoder.ts');
      return (await loadBarcodeEncoder()).encoderFor(overlay)(value);
    },
  },
};
