import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** The addresses of a name; none when it has none, or when the signal came first. Never throws. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * The machine's own view of a name: its hosts file, then DNS over the network (c-ares).
 *
 * Not `dns.lookup`: that is getaddrinfo on one of libuv's four threads and cannot be cancelled, so four
 * names whose servers never answer would stop every file operation of the process for many seconds. The
 * price: no search domains and no name services other than these two, so receivers need full names.
 */
export function systemResolver(hostsFile = '/etc/hosts'): ResolveHost {
  return async (host, signal) => {
    // RFC 6761, 6.3: these are loopback whatever anyone says.
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const listed = await fromHostsFile(hostsFile, host);
    return listed.length > 0 ? listed : fromDns(host, signal);
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

async function fromDns(host: string, signal: AbortSignal): Promise<string[]> {
  if (signal.aborted) return [];
  const resolver = new Resolver({ timeout: 2_000, tries: 3 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
