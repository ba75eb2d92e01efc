/**
 * The program that meets uploaded files of pictures: a request on standard input, the index of the pictures or a
 * refusal on standard output. It may read that one file and runs in a capped process (capped-child.ts).
 */
import { writeOutput } from '../write-output.ts';
import { AssetsRefused } from './asset-limits.ts';
import { checkZip } from './check-zip.ts';
import type { AssetsAnswer, AssetsRequest } from './inspect-assets.ts';

const chunks: Uint8Array[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
const request = JSON.parse(Buffer.concat(chunks).toString()) as AssetsRequest;
writeOutput(Buffer.from(JSON.stringify(await answer(request))));

async function answer({ path, limits }: AssetsRequest): Promise<AssetsAnswer> {
  try {
    return { ok: true, entries: await checkZip(path, limits) };
  } catch (error) {
    if (error instanceof AssetsRefused) return { ok: false, reason: error.message };
    throw error;
  }
}
