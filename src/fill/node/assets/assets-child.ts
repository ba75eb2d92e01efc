/**
 * The program that parses uploaded files of pictures. It reads a request from standard input and writes the index of the
 * pictures, or a refusal, to standard output. The file is open under the number 3; the program runs in a capped process (capped-child.ts).
 */

import { AssetsRefused } from '#fill/draw/images/asset-limits.ts';
import { writeOutput } from '../write-output.ts';
import { checkZip } from './check-zip.ts';
import type { AssetsAnswer, AssetsRequest } from './inspect-assets.ts';

/** The first file that a child inherits (capped-child.ts). */
const ASSETS = 3;

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const request = JSON.parse(Buffer.concat(chunks).toString()) as AssetsRequest;
writeOutput(Buffer.from(JSON.stringify(await answer(request))));

async function answer({ limits }: AssetsRequest): Promise<AssetsAnswer> {
  try {
    return { ok: true, entries: await checkZip(ASSETS, limits) };
  } catch (error) {
    if (error instanceof AssetsRefused) return { ok: false, reason: error.message };
    throw error;
  }
}
