import type { Command } from 'commander';
import { Rowpress } from '#client/rowpress.ts';
import { tell } from '../answer.ts';
import { CommandFailed } from '../command-failed.ts';
import { wholeNumber } from '../option-values.ts';
import { readConfig } from '../read-config.ts';

export interface ServerFlags {
  readonly server?: string;
  readonly retries?: number;
  readonly json: boolean;
}

export const retryCount = wholeNumber(0, 100);

/** Adds the options of every command that talks to a server. The key is never an option: other users could list it. */
export function withServerOptions(command: Command): Command {
  return command
    .option('--server <url>', 'URL of the server (default: ROWPRESS_SERVER); the key is in ROWPRESS_API_KEY')
    .option(
      '--retries <n>',
      'How often a request is repeated if the connection fails (default: 8)',
      retryCount,
    )
    .option('--json', 'Print one JSON object', false);
}

/** Returns the address of the server and the key, or fails with what is missing. */
export function serverAndKey({ server }: Pick<ServerFlags, 'server'>): { baseUrl: string; apiKey: string } {
  const { config } = readConfig();
  const baseUrl = server ?? config.server;
  if (baseUrl === undefined)
    throw new CommandFailed('USAGE', 'Pass --server URL, or set ROWPRESS_SERVER to the URL of the server.');
  if (!/^https?:\/\/[^\s]+$/.test(baseUrl))
    throw new CommandFailed('USAGE', `--server must be an http or https URL; received "${baseUrl}".`);
  if (config.apiKey === undefined)
    throw new CommandFailed(
      'USAGE',
      'Set ROWPRESS_API_KEY to an API key, or ROWPRESS_API_KEY_FILE to a file that contains one.',
    );
  return { baseUrl, apiKey: config.apiKey };
}

export function connect(flags: Pick<ServerFlags, 'server' | 'retries'>): Rowpress {
  const { baseUrl, apiKey } = serverAndKey(flags);
  const { retries } = flags;
  return new Rowpress({
    baseUrl,
    apiKey,
    fetch: sayingWhy(baseUrl),
    ...(retries !== undefined && { retries }),
  });
}

/** The client retries in silence, for minutes if the server asks for it. A person at a terminal should know why nothing happens. */
function sayingWhy(baseUrl: string): typeof fetch {
  let failures = 0;
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      const seconds = response.headers.get('retry-after');
      if (seconds !== null && (response.status === 429 || response.status === 503))
        tell(`rowpress: the server answered ${response.status}: it asks to wait ${seconds} s.`);
      return response;
    } catch (error) {
      failures += 1;
      if (failures === 1) tell(`rowpress: a connection to ${baseUrl} failed.`);
      throw error;
    }
  };
}
