/** A peer that fills one row into PDF bytes. `open` is setup and is not measured. */
export interface Peer {
  readonly name: string;
  open(source: Uint8Array): Promise<(cells: readonly string[]) => Promise<Uint8Array>>;
}
