import { open } from 'node:fs/promises';
import type { AssetLimits } from '#fill/draw/images/asset-limits.ts';
import { programOf } from '#lib/built-programs.ts';
import { LARGE_INPUT_BYTES } from '#lib/lower-priority.ts';
import { CappedChild } from '../capped-child.ts';
import type { ZipAsset } from './asset-source.ts';

export interface AssetsRequest {
  readonly limits: AssetLimits;
}

/** `reason` is a clause such as "it is not a ZIP file". `costly`: the reader was stopped at a limit. */
export type AssetsAnswer =
  | { readonly ok: true; readonly entries: readonly ZipAsset[] }
  | { readonly ok: false; readonly reason: string; readonly costly?: true };

const CAPS = { maxRssBytes: 512_000_000, maxMs: 60_000, maxOutputBytes: 64_000_000 };

/** Checks an untrusted ZIP of pictures and returns its index. */
export async function inspectAssets(
  file: string,
  limits: AssetLimits,
  signal?: AbortSignal,
): Promise<AssetsAnswer> {
  const program = programOf('src/fill/node/assets/assets-child.ts');
  const handle = await open(file, 'r');
  const { size } = await handle.stat();
  const request: AssetsRequest = { limits };
  const child = new CappedChild(program, CAPS.maxRssBytes, { files: { input: handle.fd } });
  if (size > LARGE_INPUT_BYTES) child.yieldToOthers();
  const outcome = await child
    .ask([Buffer.from(JSON.stringify(request))], CAPS, signal)
    .finally(() => handle.close());
  if (outcome.ok) return JSON.parse(outcome.output.toString()) as AssetsAnswer;
  if (outcome.reason === 'crash') return { ok: false, reason: 'its reader crashed' };
  if (outcome.reason === 'asleep') return { ok: false, reason: 'its reader made no progress' };
  return { ok: false, reason: `it takes too much ${outcome.reason} to read`, costly: true };
}
