import { createHash } from 'node:crypto';
import type { FillPlan } from '../fill-plan.ts';
import type { Refusal } from '../prepare/refusal.ts';
import type { SharedPrefix } from '../zip/shared-prefix.ts';
import { type BaseCache, baseKey, type StoredBase, withDeflated } from './base-cache.ts';
import type { CappedChild } from './capped-child.ts';
import { nativeCodec } from './native-codec.ts';
import { DEFAULT_PARSE_LIMITS, type ParseLimits, prepareInChild } from './prepare-in-child.ts';

/** A base ready for rows: from the cache, or prepared in a capped child and cached. */
export interface OpenedFill extends StoredBase {
  readonly fromCache: boolean;
}

export interface OpenFillOptions {
  readonly cache?: BaseCache | undefined;
  /** The owner of the cache entry. Accounts never share one. */
  readonly owner?: string;
  readonly limits?: ParseLimits;
  /** Returns a reader that was started ahead. Called only if there is something to read. */
  readonly takeReader?: () => CappedChild;
  /** Stops the reader. */
  readonly signal?: AbortSignal;
}

export async function openFill(
  source: Uint8Array,
  plan: FillPlan,
  { cache, owner = '', limits = DEFAULT_PARSE_LIMITS, takeReader, signal }: OpenFillOptions = {},
): Promise<{ readonly ok: true; readonly fill: OpenedFill } | Refusal> {
  const key = baseKey(owner, createHash('sha256').update(source).digest('hex'), plan);
  const known = await cache?.find(key);
  if (known !== undefined) return { ok: true, fill: { ...known, fromCache: true } };
  const prepared = await prepareInChild(source, plan, limits, takeReader?.(), signal);
  if (!prepared.ok) return prepared;
  const stored = await withDeflated(prepared.base);
  await cache?.put(key, stored);
  return { ok: true, fill: { ...stored, fromCache: false } };
}

export function prefixOf({ base, deflated }: StoredBase): SharedPrefix {
  const sha256 = nativeCodec.sha256Start();
  sha256.update(base.bytes);
  return { deflated, plainLength: base.bytes.length, crc32: nativeCodec.crc32(base.bytes), sha256 };
}
