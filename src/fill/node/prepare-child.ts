/**
 * The program that parses uploaded PDFs. It reads one request from standard input, writes one response to standard output, and
 * has no other permissions (capped-child.ts).
 */
import { createFontKit } from '../fonts/font-kit.ts';
import { inspectSource } from '../prepare/read-source-metadata.ts';
import { prepareFill } from '../prepare-fill.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { decodeMessage, encodeMessage, type Message } from './message.ts';
import { nativeCodec } from './native-codec.ts';
import type { ChildRequest } from './prepare-in-child.ts';
import { startVerifier, verifyBase } from './verify-base.ts';
import { writeOutput } from './write-output.ts';

const verifier = startVerifier();
const fontKit = createFontKit(bundledFontLibrary());
fontKit.catch(() => undefined);
const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const request = decodeMessage(Buffer.concat(chunks));
// Libraries warn about bad files on the console. Only the response matters here.
console.warn = () => undefined;
console.error = () => undefined;
respond(await answer(request));
// Only compilations of code that will not run again are pending.
process.exit(0);

async function answer({ head, blocks }: Message): Promise<Message> {
  const work = head as ChildRequest;
  const [source = new Uint8Array(), ...assetBytes] = blocks;
  if (work.kind === 'inspect') {
    return { head: await inspectSource(source, work.maxPages, nativeCodec), blocks: [] };
  }
  const plan = {
    layout: work.layout,
    options: work.options,
    assets: new Map(work.assetNames.map((name, index) => [name, assetBytes[index] ?? new Uint8Array()])),
  };
  const prepared = await prepareFill(
    source,
    plan,
    { fonts: await fontKit, codec: nativeCodec },
    work.maxPages,
  );
  if (!prepared.ok) return { head: prepared, blocks: [] };
  const verdict = await verifyBase(prepared.base, nativeCodec, verifier);
  if (!verdict.ok) {
    return {
      head: {
        ok: false,
        code: 'PDF_INVALID',
        message: `The PDF cannot be filled reliably: ${verdict.message}.`,
      },
      blocks: [],
    };
  }
  return { head: { ok: true, facts: prepared.base.facts }, blocks: [prepared.base.bytes] };
}

function respond(message: Message): void {
  for (const piece of encodeMessage(message)) writeOutput(piece);
}
