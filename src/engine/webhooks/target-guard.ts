import { isIP } from 'node:net';
import { judgeAddress } from '#lib/global-unicast.ts';
import { bareHost, type HostAllowList } from '#lib/host-allow-list.ts';
import { namesCredential } from './credential-query.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * Decides whether a webhook may be sent to a URL. Callers choose receivers, so without this guard they could reach the
 * server's own network.
 *
 * Two checks, at create and again at every attempt:
 * 1. `judgeTarget`: the text alone. Scheme, userinfo, query names, literal addresses, local names. No I/O.
 * 2. `judgeAddresses`: the resolved addresses. An attempt connects to exactly these (`pinned-connection.ts`), so a name
 *    that changes its address in between (DNS rebinding) gains nothing.
 *
 * The operator's allow-list lifts the rules about addresses and local names, and no others.
 */
export interface JudgedTarget {
  readonly url: URL;
  /** Without brackets or trailing dot: the name to resolve and to verify the certificate against. */
  readonly host: string;
  readonly port: number;
  readonly literal: boolean;
  /** On the operator's allow-list: its addresses are not checked. */
  readonly exempt: boolean;
}

export type TargetVerdict =
  | { readonly ok: true; readonly target: JudgedTarget }
  | { readonly ok: false; readonly reason: string };

const MAX_URL_CHARACTERS = 2048;

/** Names that by standard or convention belong to the local network: RFC 6761, 6762, 8375 and ICANN's `.internal`. */
const localSuffixes = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'lan', 'intranet'];

export function judgeTarget(text: string, allow: HostAllowList): TargetVerdict {
  const url = parseStrictly(text);
  if (typeof url === 'string') return { ok: false, reason: url };
  const credential = namesCredential(url);
  if (credential !== undefined)
    return { ok: false, reason: `the query parameter "${credential}" must not contain credentials` };
  const host = bareHost(url);
  const port = url.port === '' ? 443 : Number(url.port);
  const literal = isIP(host) !== 0;
  const exempt = allow.covers(host, port);
  const target = { url, host, port, literal, exempt };
  if (exempt) return { ok: true, target };
  const closed = literal ? closedAddress(host) : closedName(host);
  return closed === undefined ? { ok: true, target } : { ok: false, reason: closed };
}

/**
 * Parses a URL strictly. WHATWG parsing tolerates a lot (`https:host`, backslashes, tabs inside, an empty `@`). Such a
 * URL is rejected, because two programs could read it differently.
 */
function parseStrictly(text: string): URL | string {
  if (text.length > MAX_URL_CHARACTERS) return `it is longer than ${MAX_URL_CHARACTERS} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text))
    return 'it contains white space, control characters or backslashes';
  const url = URL.parse(text);
  if (url === null) return 'it is not a URL';
  if (url.protocol !== 'https:') return 'only https is allowed';
  if (!/^https:\/\/[^/]/i.test(text)) return 'it is not a complete https URL';
  const [authority = ''] = text.slice('https://'.length).split(/[/?#]/, 1);
  if (authority.includes('@')) return 'it must not contain a user name or password';
  return url;
}

function closedAddress(address: string): string | undefined {
  const verdict = judgeAddress(address);
  return verdict.ok ? undefined : `it targets an address that is not public: ${verdict.reason}`;
}

function closedName(host: string): string | undefined {
  const local = localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  if (local || !host.includes('.')) return 'it targets a name of a local network';
  return undefined;
}

/** The addresses that a connection may use: checked, or exempt by the operator's allow-list. */
export type AddressesVerdict =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Rejects a target if any of its addresses is private, because the connection could use that one. */
export async function judgeAddresses(
  target: JudgedTarget,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<AddressesVerdict> {
  // A literal that is not exempt was checked by `judgeTarget`.
  if (target.literal) return { ok: true, addresses: [target.host] };
  const addresses = await resolveUntil(signal, resolve(target.host, signal));
  if (target.exempt) return { ok: true, addresses };
  for (const address of addresses) {
    const closed = closedAddress(address);
    if (closed !== undefined) return { ok: false, reason: closed };
  }
  return { ok: true, addresses };
}

/** Stops waiting when the signal is aborted, even if the resolver ignores it. */
async function resolveUntil(
  signal: AbortSignal,
  resolving: Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (signal.aborted) return [];
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const giveUp = () => resolve([]);
  signal.addEventListener('abort', giveUp);
  return Promise.race([resolving, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}

export interface CreateCheck {
  readonly resolve: ResolveHost;
  readonly limitMs?: number;
}

/**
 * The check at create: rejects a name that resolves to a non-public address. A name that does not resolve within the
 * limit is accepted, because every attempt checks it again.
 */
export async function judgeResolution(
  target: JudgedTarget,
  { resolve, limitMs = 2_000 }: CreateCheck,
): Promise<TargetVerdict> {
  if (target.literal || target.exempt) return { ok: true, target };
  const verdict = await judgeAddresses(target, resolve, AbortSignal.timeout(limitMs));
  return verdict.ok ? { ok: true, target } : verdict;
}
