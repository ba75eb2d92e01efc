import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from './message.ts';

describe('messages', () => {
  it('[FILL53] any message: decoded as it was encoded', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 4 }),
        (head, blocks) => {
          const message = decodeMessage(Buffer.concat(encodeMessage({ head, blocks })));
          expect(message.head).toEqual(JSON.parse(JSON.stringify(head)));
          expect(message.blocks.map((block) => [...block])).toEqual(blocks.map((block) => [...block]));
        },
      ),
    );
  });

  it('[FILL53] a message that is truncated, too long, or has wrong sizes: rejected', () => {
    const whole = Buffer.concat(encodeMessage({ head: { a: 1 }, blocks: [Uint8Array.of(1, 2, 3)] }));
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => decodeMessage(whole.subarray(0, length)), `${length} bytes`).toThrow();
    }
    expect(() => decodeMessage(Buffer.concat([whole, Buffer.from('x')]))).toThrow();
    const lying = Buffer.from(whole.toString('latin1').replace('[3]', '[9]'), 'latin1');
    expect(() => decodeMessage(lying)).toThrow();
  });
});
