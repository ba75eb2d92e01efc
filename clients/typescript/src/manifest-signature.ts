import { RowpressError } from './rowpress-error.ts';

/** The members of `manifest.sig`, in the order in which they are written and signed. */
interface Signed {
  readonly format: string;
  readonly version: number;
  readonly algorithm: string;
  readonly public_key: string;
  readonly manifest_sha256: string;
  readonly signature: string;
}

/**
 * Requires that the text of `manifest.sig` is a signature of this manifest by one of the public seal keys (64 hex digits each).
 * Ed25519 comes from WebCrypto, which browsers have only on pages with TLS.
 */
export async function requireSignature(
  text: string | undefined,
  manifestSha256: string,
  keys: readonly string[],
): Promise<void> {
  if (text === undefined) throw untrusted('it is not signed');
  const { signature, ...statement } = membersOf(text);
  const key = statement.public_key;
  if (!keys.some((pinned) => pinned.toLowerCase() === key))
    throw untrusted(`it is signed by another key: ${key}`);
  const expected = {
    format: 'rowpress.manifest-signature',
    version: 1,
    algorithm: 'Ed25519',
    public_key: key,
    manifest_sha256: manifestSha256,
  };
  const form = JSON.stringify({ ...expected, signature });
  if (form !== text || !(await isValid(key, signature, JSON.stringify(expected))))
    throw untrusted('manifest.sig does not sign manifest.json');
}

function membersOf(text: string): Signed {
  try {
    const members = JSON.parse(text) as Signed;
    if (typeof members.public_key === 'string' && typeof members.signature === 'string') return members;
  } catch {
    // Reported below.
  }
  throw untrusted('manifest.sig is not a signature');
}

async function isValid(key: string, signature: string, signed: string): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  try {
    const imported = await subtle.importKey('raw', bytesOf(key), 'Ed25519', false, ['verify']);
    return await subtle.verify('Ed25519', imported, bytesOf(signature), new TextEncoder().encode(signed));
  } catch (cause) {
    throw untrusted('this platform cannot verify Ed25519', cause);
  }
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const untrusted = (reason: string, cause?: unknown) =>
  new RowpressError(`The downloaded ZIP is not proved: ${reason}.`, {
    code: 'SIGNATURE_NOT_TRUSTED',
    status: 0,
    retry: 'no',
    cause,
  });
