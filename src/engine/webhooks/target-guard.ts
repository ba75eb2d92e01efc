import { isIP } from 'node:net';
import { judgeAddress } from '#lib/global-unicast.ts';
import { bareHost, type HostAllowList } from '#lib/host-allow-list.ts';
import { namesCredential } from './credential-query.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * Decides whether a webhook may go to a URL. A receiver is named by a caller, so without this guard the
 * server would be a way into the network it stands in.
 *
 * Two questions, asked at create and again at every attempt:
 * 1. `judgeTarget`: the text alone. Scheme, userinfo, query names, literal addresses, local names. No I/O.
 * 2. `judgeAddresses`: what the name resolves to. At an attempt the answer is also what is connected to
 *    (`pinned-connection.ts`), so a name that changes its address in between (DNS rebinding) gains nothing.
 *
 * The operator's allow-list lifts the rules about addresses and local names, and no other.
 */
export interface JudgedTarget {
  readonly url: URL;
  /** Without brackets or final dot: what is resolved, and the name the certificate must carry. */
  readonly host: string;
  readonly port: number;
  readonly literal: boolean;
  /** On the operator's allow-list: its addresses are not judged. */
  readonly exempt: boolean;
}

export type TargetVerdict =
  | { readonly ok: true; readonly target: JudgedTarget }
  | { readonly ok: false; readonly reason: string };

const MAX_URL_CHARACTERS = 2048;

/** Names that by standard or by custom mean "in this network": RFC 6761, 6762, 8375 and ICANN's `.internal`. */
const localSuffixes = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa', 'lan', 'intranet'];

export function judgeTarget(text: string, allow: HostAllowList): TargetVerdict {
  const url = parseStrictly(text);
  if (typeof url === 'string') return { ok: false, reason: url };
  const credential = namesCredential(url);
  if (credential !== undefined)
    return { ok: false, reason: `the query parameter "${credential}" may not carry credentials` };
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
 * WHATWG parsing forgives a lot (`https:host`, back slashes, tabs inside, an empty `@`). A URL that needs
 * forgiveness is refused instead: two programs could read it differently.
 */
function parseStrictly(text: string): URL | string {
  if (text.length > MAX_URL_CHARACTERS) return `it is longer than ${MAX_URL_CHARACTERS} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'it holds white space, control characters or back slashes';
  const url = URL.parse(text);
  if (url === null) return 'it is not a URL';
  if (url.protocol !== 'https:') return 'only https is allowed';
  if (!/^https:\/\/[^/]/i.test(text)) return 'it is not a complete https URL';
  const [authority = ''] = text.slice('https://'.length).split(/[/?#]/, 1);
  if (authority.includes('@')) return 'it may not hold a user name or password';
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

/** The addresses a connection may use: judged, or exempt by the operator's allow-list. */
export type AddressesVerdict =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** One private address among public ones closes the target: which one is connected to is a matter of luck. */
export async function judgeAddresses(
  target: JudgedTarget,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<AddressesVerdict> {
  // A literal that is not exempt was judged by `judgeTarget`.
  if (target.literal) return { ok: true, addresses: [target.host] };
  const addresses = await resolveUntil(signal, resolve(target.host, signal));
  if (target.exempt) return { ok: true, addresses };
  for (const address of addresses) {
    const closed = closedAddress(address);
    if (closed !== undefined) return { ok: false, reason: closed };
  }
  return { ok: true, addresses };
}

/** A resolver that does not listen to its signal must not hold up the caller. */
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
 * The check at create: refused when the name resolves to anything that is not public. A name that does not
 * answer within the limit is accepted, because its attempts will be judged anyway.
 */
export async function judgeResolution(
  target: JudgedTarget,
  { resolve, limitMs = 2_000 }: CreateCheck,
): Promise<TargetVerdict> {
  if (target.literal || target.exempt) return { ok: true, target };
  const verdict = await judgeAddresses(target, resolve, AbortSignal.timeout(limitMs));
  return verdict.ok ? { ok: true, target } : verdict;
}
