/**
 * The program that meets uploaded PDFs. It reads one request from standard input, writes one answer to standard
 * output, and has the right to nothing else (capped-child.ts).
 */
import { writeSync } from 'node:fs';
import { prepareFill } from '../fill-engine.ts';
import { createFontKit } from '../fonts/font-kit.ts';
import { layoutSchema } from '../package/layout-schema.ts';
import { inspectSource } from '../prepare/read-source-metadata.ts';
import { bundledFontLibrary } from './bundled-fonts.ts';
import { decodeMessage, encodeMessage, type Message } from './message.ts';
import { nativeCodec } from './native-codec.ts';
import type { ChildRequest } from './prepare-in-child.ts';
import { verifyBase } from './verify-base.ts';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const request = decodeMessage(Buffer.concat(chunks));
// Libraries warn about bad files on the console; the answer is all that matters here.
console.warn = () => undefined;
console.error = () => undefined;
respond(await answer(request));

async function answer({ head, blocks }: Message): Promise<Message> {
  const work = head as ChildRequest;
  const [source = new Uint8Array(), ...assetBytes] = blocks;
  if (work.kind === 'inspect') {
    return { head: await inspectSource(source, work.maxPages, nativeCodec), blocks: [] };
  }
  const plan = {
    layout: layoutSchema.parse(work.layout),
    options: work.options,
    assets: new Map(work.assetNames.map((name, index) => [name, assetBytes[index] ?? new Uint8Array()])),
  };
  const prepared = await prepareFill(
    source,
    plan,
    { fonts: await createFontKit(bundledFontLibrary()), codec: nativeCodec },
    work.maxPages,
  );
  if (!prepared.ok) return { head: prepared, blocks: [] };
  const verdict = await verifyBase(prepared.base, nativeCodec);
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
  for (const piece of encodeMessage(message)) {
    for (let at = 0; at < piece.length; ) {
      try {
        at += writeSync(1, piece, at);
      } catch (error) {
        // The pipe is full; the parent reads as fast as it can.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
    }
  }
}
