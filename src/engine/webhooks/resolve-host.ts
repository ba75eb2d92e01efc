import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Returns the addresses of a name; empty if it has none or the signal is aborted first. Never throws. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface ResolverOptions {
  readonly hostsFile?: string;
  /** Replaces the configured servers of the machine. */
  readonly servers?: readonly string[];
}

/**
 * After one address family has responded, the other gets this much longer (the idea of RFC 8305, 3): a server that
 * never responds to AAAA must not make its A records useless.
 */
const OTHER_FAMILY_MS = 500;

/**
 * Resolves a name as the machine does: hosts file, then DNS over the network (c-ares).
 *
 * Not `dns.lookup`: that runs getaddrinfo on one of libuv's four threads and cannot be cancelled, so four names whose
 * servers never respond would block every file operation of the process for many seconds. The cost: no search domains
 * and no other name services, so receivers need fully qualified names.
 */
export function systemResolver({ hostsFile = '/etc/hosts', servers }: ResolverOptions = {}): ResolveHost {
  return async (host, signal) => {
    // RFC 6761, 6.3: these names are always loopback.
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
