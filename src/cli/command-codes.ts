import type { BulkfillCode } from '#bulkfill/errors.ts';

/** How a command ended; a promise to scripts. */
export const EXIT = { failed: 1, usage: 2, threshold: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface CommandEntry {
  readonly exit: ExitCode;
  readonly title: string;
}

/**
 * Failures that only a command has. What it has in common with the Bulk Fill contract (a PDF, a package or rows that
 * are refused) has the code it has there.
 */
export const commandCatalogue = {
  USAGE: { exit: EXIT.usage, title: 'An option is wrong, or a file it names cannot be read or written' },
  BAD_CONFIGURATION: { exit: EXIT.usage, title: 'A setting has a value that is not allowed' },
  OPERATOR_NEEDED: {
    exit: EXIT.failed,
    title: 'The operator must fix something first; the message says what',
  },
  NO_INSTALLATION: {
    exit: EXIT.failed,
    title: 'There is no installation where the command looked; the message says where',
  },
  SEAL_KEY_INVALID: { exit: EXIT.failed, title: 'The seal key, or a key to trust, cannot be used' },
  KEY_NOT_FOUND: { exit: EXIT.failed, title: 'API key not found' },
  OPERATOR_NOT_FOUND: { exit: EXIT.failed, title: 'Operator not found' },
  AUDIT_CHAIN_BROKEN: { exit: EXIT.failed, title: 'An audit entry was changed, removed or added' },
  KEY_NOT_LIVE: { exit: EXIT.failed, title: 'The API key was revoked or has expired' },
  KEY_IN_ROTATION: { exit: EXIT.failed, title: 'The API key is already being rotated' },
  TOO_MANY_KEYS: { exit: EXIT.failed, title: 'The account has the maximum number of live keys' },
  ARCHIVE_DAMAGED: {
    exit: EXIT.failed,
    title: 'The ZIP is damaged, or differs from its manifest',
  },
  SIGNATURE_NOT_TRUSTED: {
    exit: EXIT.failed,
    title: 'The manifest of the ZIP is not signed with one of the keys of --key',
  },
  INVALID_ITEMS: { exit: EXIT.failed, title: 'The file has items that cannot be read' },
  ITEMS_REJECTED: { exit: EXIT.failed, title: 'The server rejected some items; the report names them' },
  ROWS_FAILED: { exit: EXIT.failed, title: 'Some rows could not be imported; --failed-rows saves them' },
  CONNECTION_FAILED: {
    exit: EXIT.failed,
    title: 'The server cannot be reached; repeat the command with the same key',
  },
  TIMEOUT: {
    exit: EXIT.failed,
    title: 'The server did not respond in time; repeat the command with the same key',
  },
  CHECKSUM_MISMATCH: { exit: EXIT.failed, title: 'A PDF of the download differs from the manifest' },
  DOWNLOAD_CHANGED: { exit: EXIT.failed, title: 'The file changed during the download' },
  OUTPUT_FAILED: {
    exit: EXIT.failed,
    title: 'Writing the output failed: the disk is full, or the reader closed the pipe',
  },
  OUTPUT_TOO_LARGE: { exit: EXIT.failed, title: 'The output would be larger than its format allows' },
  STORAGE_FULL: { exit: EXIT.failed, title: 'Storage is full' },
  UNEXPECTED_FAILURE: { exit: EXIT.failed, title: 'Unexpected failure; standard error has the stack trace' },
} as const satisfies Record<string, CommandEntry>;

export type CommandCode = keyof typeof commandCatalogue | BulkfillCode;

export function exitOf(code: string): ExitCode {
  if (code === 'FAILED_ROW_THRESHOLD_EXCEEDED') return EXIT.threshold;
  const entry = Object.entries<CommandEntry>(commandCatalogue).find(([known]) => known === code)?.[1];
  return entry?.exit ?? EXIT.failed;
}
