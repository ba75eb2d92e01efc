/**
 * The strongest peer as a whole program: loads the library, fills the first rows of a CSV file, and writes deflated PDFs to one file.
 *
 *   node bench/fill/cold-peer.ts SOURCE.pdf ROWS OUTPUT
 */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';
import { rowCells } from './make-sources.ts';
import type { Peer } from './peers/peer.ts';

const [source = '', rows = '0', output = ''] = process.argv.slice(2);
const { libpdfPeers } = (await import(new URL('./peers/libpdf.ts', import.meta.url).href)) as {
  libpdfPeers: Peer[];
};
const peer = libpdfPeers.find(({ name }) => name.endsWith('incremental'));
if (peer === undefined) throw new Error('the peer is missing');
const fillRow = await peer.open(readFileSync(source));
const file = openSync(output, 'w');
for (let row = 1; row <= Number(rows); row += 1) {
  const pdf = await fillRow(rowCells(row));
  const head = Buffer.alloc(30);
  head.writeUInt32LE(crc32(pdf), 14);
  writeSync(file, head);
  writeSync(file, deflateRawSync(pdf));
}
fsyncSync(file);
closeSync(file);
