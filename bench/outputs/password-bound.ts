import { spawnSync } from 'node:child_process';
import { createCipheriv, createSecretKey, hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { revision6Hash } from '#fill/node/encrypt/revision-6-hash.ts';
import { rowCells } from '../fill/make-sources.ts';

const NONE = new Uint8Array(0);
const HASHES = ['sha256', 'sha384', 'sha512'] as const;
const OWNER_BYTES = 16;
const USER_ENTRY_BYTES = 48;
const QPDF_RUNS = 20;

export interface PasswordBound {
  /** Rows per CPU-second if a row consisted only of its four hashes. */
  readonly hashesAlone: number;
  /** The same if those took only what the ciphers and hashes of the machine's OpenSSL take for as many bytes. */
  readonly primitivesAlone: number;
  /** Files per CPU-second of `qpdf --encrypt`, one process per file; undefined if it is not installed. */
  readonly qpdf: number | undefined;
}

/** What limits encrypted rows, measured in this process. `pdf` is a row's PDF. */
export function passwordBound(folder: string, pdf: Uint8Array): PasswordBound {
  return { hashesAlone: hashesAlone(), primitivesAlone: primitivesAlone(), qpdf: qpdf(folder, pdf) };
}

const passwordOf = (row: number) => Buffer.from(rowCells(row)[0] ?? '');

function hashesAlone(): number {
  const owner = Buffer.alloc(OWNER_BYTES, 'o');
  const entry = Buffer.alloc(USER_ENTRY_BYTES, 'u');
  const hashRow = (row: number) => {
    for (const part of ['a', 'b']) {
      const salt = Buffer.from(`${part}${String(row).padStart(7, '0')}`);
      revision6Hash(passwordOf(row), salt, NONE);
      revision6Hash(owner, salt, entry);
    }
  };
  const warmUp = 50;
  for (let row = 0; row < warmUp; row += 1) hashRow(row);
  const rows = 300;
  return (
    rows /
    cpuSecondsOf(() => {
      for (let row = 0; row < rows; row += 1) hashRow(warmUp + row);
    })
  );
}

function primitivesAlone(): number {
  const key = createSecretKey(Buffer.alloc(16, 1));
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16, 2));
  // A megabyte per call: the cost of a call does not count.
  const megabyte = Buffer.alloc(1_000_000);
  const perByte = (work: () => void) => {
    const calls = 100;
    work();
    return (
      cpuSecondsOf(() => {
        for (let call = 0; call < calls; call += 1) work();
      }) /
      (calls * megabyte.length)
    );
  };
  const encrypting = perByte(() => cipher.update(megabyte));
  const hashing =
    HASHES.reduce((sum, name) => sum + perByte(() => hash(name, megabyte, 'hex')), 0) / HASHES.length;
  return 1 / (bytesPerRow() * (encrypting + hashing));
}

/** Expected bytes that the four hashes of a row encrypt, and hash. */
function bytesPerRow(): number {
  const meanHash = (32 + 48 + 64) / 3;
  const user = passwordOf(5000).length + meanHash;
  const owner = OWNER_BYTES + meanHash + USER_ENTRY_BYTES;
  return 2 * 64 * (user + owner) * expectedRounds();
}

/** A hash ends with round n ≥ 64 if a byte is at most n − 32. */
function expectedRounds(): number {
  let expected = 0;
  let reached = 1;
  for (let round = 64; reached > 1e-12; round += 1) {
    const ends = Math.min(1, (round - 31) / 256);
    expected += round * reached * ends;
    reached *= 1 - ends;
  }
  return expected;
}

function qpdf(folder: string, pdf: Uint8Array): number | undefined {
  if (spawnSync('qpdf', ['--version']).status !== 0) return undefined;
  writeFileSync(join(folder, 'row.pdf'), pdf);
  const loop = `for n in $(seq ${QPDF_RUNS}); do qpdf --encrypt "password $n" "owner $n" 256 -- row.pdf encrypted.pdf; done`;
  const { status, stderr } = spawnSync('bash', ['-c', `TIMEFORMAT="%U %S"; time (${loop})`], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const [user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return QPDF_RUNS / (user + system);
}

function cpuSecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
