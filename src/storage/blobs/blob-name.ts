/**
 * Names of blobs. A plain blob is named by the SHA-256 of its content. An encrypted one is named by a keyed
 * hash of that SHA-256, a hyphen and the id of the data key that encrypted it, so that a reader needs no record. A
 * linked object (blob-store.ts) is named by the tag of its artifact and `.whole`: its content is not known before it is
 * sent.
 */
const PLAIN = /^[0-9a-f]{64}$/;
const WHOLE = /^[0-9a-f]{64}\.whole$/;
const BLOB = /^[0-9a-f]{64}(?:-([0-9a-f]{16})|\.whole)?$/;

export function isBlobName(name: string): boolean {
  return BLOB.test(name);
}

export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

/** Returns the id of the data key that encrypted the blob; undefined for a plain blob. */
export function dataKeyIdOf(name: string): string | undefined {
  return BLOB.exec(name)?.[1];
}

/** Returns the name of the linked object of an artifact. */
export function wholeNameOf(tag: string): string {
  if (!PLAIN.test(tag)) throw new Error('bug: the tag of an artifact is not a digest');
  return `${tag}.whole`;
}

export function isWholeName(name: string): boolean {
  return WHOLE.test(name);
}

/** Returns the path of the blob in a store: `ab/abcd…`. */
export function pathOfBlob(name: string): string {
  if (!BLOB.test(name)) throw new Error('bug: not a blob name');
  return `${name.slice(0, 2)}/${name}`;
}

/** Returns the name of the blob at a path; undefined if the path is not that of a blob. */
export function blobAtPath(path: string): string | undefined {
  const name = path.slice(3);
  return BLOB.test(name) && pathOfBlob(name) === path ? name : undefined;
}
