import { LEAST_MODULE } from '#fill/draw/codes/code-size.ts';
import type { QrOverlay } from '#fill/kinds/qr/schema.ts';
import { qrTraits } from '#fill/kinds/qr/traits.ts';
import type { KindTool } from '../kind-tool.ts';

export const qrTool: KindTool<QrOverlay> = {
  name: 'QR code',
  badge: 'QR',
  key: 'Q',
  traits: qrTraits,
  code: {
    key: ({ ecc }, value) => `qr ${ecc}\n${value}`,
    leastModule: () => LEAST_MODULE,
    encode: async ({ ecc }, value) => {
      const { qrGrid } = await import('#fill/draw/codes/qr-code.ts');
      return qrGrid(value, ecc) ?? { invalid: `it is too long for a QR code of level ${ecc}.` };
    },
  },
};
