import { z } from 'zod';
import type { Codec } from '../codec.ts';
import { isSignedText, publicKeyOf, signedText } from './signed-statement.ts';
import type { ContainerEntries } from './write-container.ts';

/**
 * `seal.json`: an Ed25519 signature (RFC 8032) over the digests of all other entries. It proves that an installation made this
 * package and that it was not changed since. The file has exactly one valid form: members in this order, lower-case hex, no
 * white space. Any other form is refused, like any other changed bit.
 */
export const SEAL_ENTRY = 'seal.json';
/** Far above the seal of the largest package, and small enough to parse quickly. */
const MAX_SEAL_BYTES = 200_000;
const SEAL_FORMAT = 'rowpress.seal';
const SEAL_VERSION = 1;

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`));
const sealSchema = z.strictObject({
  format: z.literal(SEAL_FORMAT),
  version: z.literal(SEAL_VERSION),
  algorithm: z.literal('Ed25519'),
  public_key: hex(32),
  entries: z.array(z.strictObject({ name: z.string(), size: z.int().min(0), sha256: hex(32) })).max(1000),
  signature: hex(64),
});
type Seal = z.infer<typeof sealSchema>;
type Statement = Omit<Seal, 'signature'>;

export type SealVerdict =
  | { readonly ok: true; readonly publicKey: string }
  | { readonly ok: false; readonly kind: 'malformed' | 'tampered' | 'unsupported'; readonly message: string };

/** The bytes of `seal.json` for the given other entries. */
export function makeSeal(
  entries: ContainerEntries,
  secretKey: Uint8Array,
  codec: Pick<Codec, 'sha256Hex'>,
): Uint8Array {
  const statement = statementOf(entries, publicKeyOf(secretKey), codec);
  return new TextEncoder().encode(signedText(statement, secretKey));
}

/** Verifies a seal against the entries it should cover. The caller checks whether its key is trusted. */
export function verifySeal(
  sealBytes: Uint8Array,
  entries: ContainerEntries,
  codec: Pick<Codec, 'sha256Hex'>,
): SealVerdict {
  if (sealBytes.length > MAX_SEAL_BYTES)
    return { ok: false, kind: 'malformed', message: `The seal is larger than ${MAX_SEAL_BYTES} bytes.` };
  const text = decodeUtf8(sealBytes);
  const value = text === null ? undefined : parseJson(text);
  if (value === undefined) return { ok: false, kind: 'malformed', message: 'The seal is not valid JSON.' };
  if (isOtherVersion(value)) {
    return { ok: false, kind: 'unsupported', message: 'The seal is of a version this server does not know.' };
  }
  const parsed = sealSchema.safeParse(value);
  if (!parsed.success) return { ok: false, kind: 'malformed', message: 'The seal is incomplete.' };
  const { signature, ...claimed } = parsed.data;

  const actual = statementOf(entries, claimed.public_key, codec);
  const changed = firstDifference(claimed.entries, actual.entries);
  if (changed !== null) {
    return { ok: false, kind: 'tampered', message: `${changed} was changed after sealing.` };
  }
  if (!isSignedText(text ?? '', actual, signature)) {
    return { ok: false, kind: 'tampered', message: 'The seal does not match the package.' };
  }
  return { ok: true, publicKey: claimed.public_key };
}

function statementOf(
  entries: ContainerEntries,
  publicKey: string,
  codec: Pick<Codec, 'sha256Hex'>,
): Statement {
  return {
    format: SEAL_FORMAT,
    version: SEAL_VERSION,
    algorithm: 'Ed25519',
    public_key: publicKey,
    entries: [...entries]
      .filter(([name]) => name !== SEAL_ENTRY)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, data]) => ({ name, size: data.length, sha256: codec.sha256Hex(data) })),
  };
}

function firstDifference(claimed: Statement['entries'], actual: Statement['entries']): string | null {
  const digests = new Map(claimed.map((entry) => [entry.name, `${entry.size} ${entry.sha256}`]));
  for (const entry of actual) {
    if (digests.get(entry.name) !== `${entry.size} ${entry.sha256}`) return entry.name;
    digests.delete(entry.name);
  }
  const [missing] = digests.keys();
  return missing ?? null;
}

function isOtherVersion(value: unknown): boolean {
  const head = z
    .looseObject({ format: z.literal(SEAL_FORMAT), version: z.int(), algorithm: z.string() })
    .safeParse(value);
  return head.success && (head.data.version !== SEAL_VERSION || head.data.algorithm !== 'Ed25519');
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
