import { expect, test, vi } from 'vitest';
import { sourcePdf } from '../../../test/support/source-pdf.ts';
import { briefly, DEFAULT_PARSE_LIMITS, inspectInChild, startReader } from './prepare-in-child.ts';

test('[LIM53] a PDF whose reader sleeps: read by another process', async () => {
  const reader = startReader();
  const ask = vi
    .spyOn(reader, 'ask')
    .mockResolvedValue({ ok: false, reason: 'asleep', detail: 'no progress' });
  const inspected = await inspectInChild(sourcePdf(), DEFAULT_PARSE_LIMITS, reader);
  expect(inspected).toMatchObject({ ok: true, metadata: { page_count: 1 } });
  expect(ask).toHaveBeenCalledOnce();
  await reader.dismiss();
});

test.each([
  [
    '1: file:///srv/app/src/x.ts:9\nRangeError: too deep\n    at f (/srv/app/src/x.ts:9:1)',
    'RangeError: too deep',
  ],
  ['SIGSEGV: ', 'SIGSEGV'],
  ['134: \n<--- Last few GCs --->\n[7:/srv/app]', '134'],
])('[FILL45] a crashed PDF reader: reports the reason without file paths (%j)', (complaint, told) => {
  expect(briefly(complaint)).toBe(told);
});
