import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startServer } from '../support/http.ts';
import { openDirectorySink, uploadSurface } from '../support/upload-surface.ts';

/** 1,000 in `npm test`; long runs set a higher number. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1000);
/** Number of concurrent requests: some broken forms are detected only after half a second without data. */
const BATCH = 25;

/** Codes that the route may return for a form, as in `docs/errors.md`. */
const DOCUMENTED = new Set([
  '200',
  '400 INVALID_MULTIPART',
  '400 UNKNOWN_FIELD',
  '400 DUPLICATE_FIELD',
  '400 INVALID_FIELD',
  '413 PDF_TOO_LARGE',
]);

const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '--B', '\r\n--B', '\r\n--B--', '-', '\r\n').map((text) => Buffer.from(text)),
  fc.integer({ min: 99_990, max: 140_000 }).map((size) => Buffer.alloc(size, 'x')),
);

const header = fc.constantFrom(
  'Content-Disposition: form-data; name="pdf"; filename="a.pdf"',
  'Content-Disposition: form-data; name="percent"',
  'Content-Disposition: form-data; name="pdf"; filename="../../etc/passwd"',
  "Content-Disposition: form-data; name*=utf-8''pdf",
  'Content-Disposition: form-data; name="__proto__"',
  'Content-Disposition: attachment; name="pdf"',
  'Content-Disposition: form-data; name="unknown"',
  'Content-Disposition: form-data; name="pdf',
  'Content-Type: multipart/mixed; boundary=C',
  'Content-Transfer-Encoding: base64',
  'content-disposition:form-data;name=pdf',
  `X-Long: ${'y'.repeat(20_000)}`,
  'no colon',
  '',
);

const part = fc
  .record({ headers: fc.array(header, { minLength: 0, maxLength: 4 }), body: content })
  .map(({ headers, body }) =>
    Buffer.concat([Buffer.from(`--B\r\n${headers.join('\r\n')}\r\n\r\n`), body, Buffer.from('\r\n')]),
  );

/** A roughly valid form that is then truncated, bit-flipped or repeated somewhere. */
const body = fc
  .record({
    parts: fc.array(part, { maxLength: 5 }),
    end: fc.constantFrom('--B--\r\n', '--B--', '--B', '', '--B--\r\nepilogue'),
    flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    keep: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
    ),
  })
  .map(({ parts, end, flips, keep }) => {
    const whole = Buffer.concat([...parts, Buffer.from(end)]);
    for (const [at, value] of flips) if (whole.length > 0) whole[at % whole.length] = value;
    return whole.subarray(0, Math.ceil(whole.length * keep));
  });

const contentType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('multipart/form-data; boundary=B') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="B',
      `multipart/form-data; boundary=${'B'.repeat(300)}`,
      'multipart/mixed; boundary=B',
    ),
  },
);

/** Sends request headers that promise more than `bytes`, then disconnects without reading a response. */
async function hangUp(port: number, type: string, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST /v1/bulkfill/uploads HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`);
  socket.write(`Content-Length: ${bytes.length + 1000}\r\n\r\n`);
  socket.write(bytes, () => socket.destroy());
  await once(socket, 'close');
}

test(`[MPT6] ${RUNS} broken forms: documented answers only, and no temporary file is left`, async () => {
  const sink = await openDirectorySink();
  const { url, port } = await startServer({ surfaces: [uploadSurface(sink)] });
  const seen = new Map<string, number>();
  const send = async ([type, bytes, chance]: readonly [string, Buffer, number]) => {
    if (chance === 0) return hangUp(port, type, bytes);
    const init = { method: 'POST', headers: { 'content-type': type }, body: new Uint8Array(bytes) };
    const response = await fetch(`${url}/v1/bulkfill/uploads`, init);
    const { code } = (await response.json()) as { code?: string };
    const answer = response.status === 200 ? '200' : `${response.status} ${code}`;
    seen.set(answer, (seen.get(answer) ?? 0) + 1);
    expect(DOCUMENTED).toContain(answer);
  };
  const batch = fc.array(fc.tuple(contentType, body, fc.nat(9)), { minLength: BATCH, maxLength: BATCH });
  const property = fc.asyncProperty(batch, async (forms) => void (await Promise.all(forms.map(send))));
  await fc.assert(property, { numRuns: Math.ceil(RUNS / BATCH) });
  await expect.poll(() => sink.list()).toEqual([]);
  expect(seen.size).toBeGreaterThan(3);
  expect((await fetch(`${url}/v1/bulkfill/nothing`)).status).toBe(404);
});
