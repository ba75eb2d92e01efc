import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandRefusal } from './answer.ts';

/**
 * Rejects a command that would overwrite its own input, or write two outputs to one file. Devices and pipes may occur
 * twice, but not standard output.
 */
export async function spareInputs(
  inputs: readonly string[],
  outputs: readonly (string | undefined)[],
): Promise<CommandRefusal | null> {
  const used = new Map<string, string>();
  for (const input of inputs) used.set(await identity(input), `${input} is read`);
  for (const output of outputs) {
    if (output === undefined) continue;
    const file = output === '-' ? STANDARD_OUTPUT : await identity(output);
    const other = used.get(file);
    if (other !== undefined && file !== DEVICE)
      return { code: 'USAGE', message: `${output} cannot be written: ${other} by the same command` };
    used.set(file, `${output} is written`);
  }
  return null;
}

const DEVICE = 'a device or a pipe';
const STANDARD_OUTPUT = 'standard output';

/** Returns an identity that is the same for all names of one file, even if it does not exist yet. */
async function identity(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (found === null) return resolve(path);
  return found.isFile() ? `${found.dev}:${found.ino}` : DEVICE;
}
