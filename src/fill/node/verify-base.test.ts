import { describe, expect, it } from 'vitest';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { nativeCodec } from './native-codec.ts';
import { verifyBase } from './verify-base.ts';

const overlays = [1, 2].map((page) => ({
  id: `text${page}`,
  type: 'text' as const,
  page,
  x: 10,
  y: 10,
  width: 50,
  height: 20,
  value: { static: 'x' },
}));

describe('the second reader', () => {
  it('[FILL56] a base whose pages and slots are found: accepted', async () => {
    const { base } = await prepareForTest(pagesPdf([{}, { entries: '/Rotate 90' }]), { overlays });
    expect(await verifyBase(base, nativeCodec)).toEqual({ ok: true });
  });

  it('[FILL56] a wrong page count, an invisible slot, or an unreadable base: rejected', async () => {
    const { base } = await prepareForTest(pagesPdf([{}, {}]), { overlays });
    const pages = [...base.facts.pages, { width: 1, height: 1 }];
    expect(await verifyBase({ ...base, facts: { ...base.facts, pages } }, nativeCodec)).toMatchObject({
      ok: false,
    });

    const hidden = Buffer.from(
      Buffer.from(base.bytes).toString('latin1').replaceAll('/RpOverlay Do', '/RpOverlax Do'),
      'latin1',
    );
    expect(await verifyBase({ ...base, bytes: hidden }, nativeCodec)).toMatchObject({
      ok: false,
      message: expect.stringContaining('page 1'),
    });

    const junk = new Uint8Array(base.bytes.length);
    expect(await verifyBase({ ...base, bytes: junk }, nativeCodec)).toMatchObject({ ok: false });
  });
});
