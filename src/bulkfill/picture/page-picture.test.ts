import { expect, test, vi } from 'vitest';
import { CappedChild, type ChildOutcome } from '#fill/node/capped-child.ts';
import { pagePicture } from './page-picture.ts';

type Failure = Extract<ChildOutcome, { ok: false }>;

const failure = async (reason: Failure['reason'], detail: string) => {
  vi.spyOn(CappedChild.prototype, 'ask').mockImplementation(async function (this: CappedChild) {
    await this.dismiss();
    return { ok: false, reason, detail };
  });
  return pagePicture(new Uint8Array(0), { page: 1, width: 100 }).catch((error: unknown) => error);
};

test.each([
  ['the memory limit', 'memory', '900000000 bytes resident'],
  ['the time limit', 'time', '20000 ms passed'],
  ['the kernel, without a launcher', 'crash', 'SIGKILL: '],
  ['the kernel, behind a launcher', 'crash', '137: '],
] as const)(
  '[LIM46] a preview whose reader is ended by %s: 503, can be retried',
  async (_, reason, detail) => {
    expect(await failure(reason, detail)).toMatchObject({
      fault: 'unavailable',
      answer: { retryAfterSeconds: 5 },
    });
  },
);

test('[LIM46] a preview whose reader crashes: reported as a bug', async () => {
  const error = await failure('crash', '1: RangeError');
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty('fault');
});
