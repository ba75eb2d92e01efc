import { readFile } from 'node:fs/promises';
import { keyBytes } from '#fill/node/seal-key.ts';
import { CommandFailed } from '../command-failed.ts';
import { reason } from '../files.ts';

/**
 * The public keys of `--key`, in hex: a key itself, or a file with keys. A file holds one key per line, or the list of
 * `/seals/list.json`, whose retired keys are left out.
 */
export async function pinnedKeys(given: string): Promise<string[]> {
  const single = keyBytes(given);
  if (single !== null) return [single.toString('hex')];
  const text = await readFile(given, 'utf8').catch((error: unknown) => {
    throw new CommandFailed(
      'USAGE',
      `--key ${given} is not a public key (64 hex digits or base64), and as a file it cannot be read: ${reason(error)}`,
    );
  });
  const keys = (listed(text) ?? text.split(/\s+/).filter((word) => word !== '')).map((word) => {
    const bytes = keyBytes(word);
    if (bytes === null)
      throw new CommandFailed(
        'USAGE',
        `${given} holds ${JSON.stringify(word.slice(0, 80))}, which is not a public key (64 hex digits or base64).`,
      );
    return bytes.toString('hex');
  });
  if (keys.length === 0) throw new CommandFailed('USAGE', `${given} holds no public key.`);
  return keys;
}

/** The keys of a list in JSON; undefined if the text is not one. */
function listed(text: string): string[] | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys: { public_key: string; state?: string }[] };
    return keys.filter(({ state }) => state !== 'retired').map(({ public_key }) => String(public_key));
  } catch {
    return undefined;
  }
}
