import { damaged } from './archive-check.ts';
import type { Check } from './download.ts';
import { type NodeHash, nodeHash } from './platform.ts';
import { hex, Sha256 } from './sha256.ts';

/** Compares the SHA-256 of a whole file with its ETag while it arrives. Nothing of the file is kept. */
export class FileCheck implements Check {
  readonly #otherwise: () => Promise<string | undefined>;
  #hash: NodeHash | Sha256 | undefined;
  #expected: string | undefined;

  /** `otherwise` returns the SHA-256 if the ETag is not one: an object store has its own, and a proxy may remove it. */
  constructor(otherwise: () => Promise<string | undefined>) {
    this.#otherwise = otherwise;
  }

  begin(etag: string | null): void {
    this.#expected = /^"([0-9a-f]{64})"$/.exec(etag ?? '')?.[1];
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#hash ??= (await nodeHash()) ?? new Sha256();
    this.#hash.update(chunk);
  }

  async finish(): Promise<undefined> {
    const expected = this.#expected ?? (await this.#otherwise());
    const hash = this.#hash ?? new Sha256();
    const found = hash instanceof Sha256 ? hex(hash.digest()) : hash.digest('hex');
    if (found !== expected) throw damaged('it does not have the SHA-256 that the server announced');
  }
}
