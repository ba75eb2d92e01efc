/**
 * The byte algorithms whose speed matters and whose native forms differ between Node and a browser. Hashes and checksums are
 * the same everywhere by definition. Compression is used only for the ZIP around the PDFs. Inside a PDF only fflate is used,
 * because two deflate implementations produce different bytes.
 */
export interface Codec {
  sha256Hex(bytes: Uint8Array): string;
  sha256Start(): RunningSha256;
  crc32(bytes: Uint8Array, seed?: number): number;
  /** Raw deflate with a final block. */
  deflate(bytes: Uint8Array): Uint8Array;
  /** Raw deflate that ends on a byte boundary without a final block, so that more blocks can follow. */
  deflateOpen(bytes: Uint8Array): Uint8Array;
}

/** A hash that can be continued from a common prefix. `copy` does not change the original. */
export interface RunningSha256 {
  update(bytes: Uint8Array): void;
  copy(): RunningSha256;
  digestHex(): string;
}
