import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** The addresses of a name; none when it has none, or when the signal came first. Never throws. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface ResolverOptions {
  readonly hostsFile?: string;
  /** Instead of those the machine is set up with. */
  readonly servers?: readonly string[];
}

/**
 * When one address family has answered, the other gets this much longer (the idea of RFC 8305, 3): a server
 * that never answers for AAAA must not make its A records useless.
 */
const OTHER_FAMILY_MS = 500;

/**
 * The machine's own view of a name: its hosts file, then DNS over the network (c-ares).
 *
 * Not `dns.lookup`: that is getaddrinfo on one of libuv's four threads and cannot be cancelled, so four
 * names whose servers never answer would stop every file operation of the process for many seconds. The
 * price: no search domains and no name services other than these two, so receivers need full names.
 */
export function systemResolver({ hostsFile = '/etc/hosts', servers }: ResolverOptions = {}): ResolveHost {
  return async (host, signal) => {
    // RFC 6761, 6.3: these are loopback whatever anyone says.
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const listed = await fromHostsFile(hostsFile, host);
    return listed.length > 0 ? listed : fromDns(host, signal, servers);
  };
}

async function fromHostsFile(path: string, host: string): Promise<string[]> {
  const content = await readFile(path, 'utf8').catch(() => '');
  return content
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/))
    .filter(([, ...names]) => names.includes(host))
    .map(([address = '']) => address);
}

async function fromDns(
  host: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<string[]> {
  if (signal.aborted) return [];
  const resolver = new Resolver({ timeout: 800, tries: 4 });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const found: string[] = [];
  let patience: NodeJS.Timeout | undefined;
  const collect = async (answer: Promise<string[]>) => {
    found.push(...(await answer));
    patience ??= setTimeout(cancel, OTHER_FAMILY_MS);
  };
  try {
    await Promise.allSettled([collect(resolver.resolve4(host)), collect(resolver.resolve6(host))]);
    return found;
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', cancel);
  }
}
