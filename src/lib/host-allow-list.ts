/**
 * A list of `host` or `host:port` entries (`[::1]:8443` for IPv6), compared with the host of a URL in
 * WHATWG form: lower case, IPv4 dotted, IPv6 compressed. An entry without a port covers all ports.
 */
export interface HostAllowList {
  covers(host: string, port: number): boolean;
}

export type HostAllowListResult =
  | { readonly ok: true; readonly list: HostAllowList }
  | { readonly ok: false; readonly problems: readonly string[] };

interface Entry {
  readonly host: string;
  /** Undefined means any port. */
  readonly port: number | undefined;
}

export function parseHostAllowList(entries: readonly string[]): HostAllowListResult {
  const parsed = entries.map(parseEntry);
  const problems = entries.filter((_, i) => parsed[i] === undefined);
  if (problems.length > 0) return { ok: false, problems };
  const known = parsed.filter((entry) => entry !== undefined);
  const covers = (host: string, port: number) =>
    known.some((entry) => entry.host === host && (entry.port === undefined || entry.port === port));
  return { ok: true, list: { covers } };
}

function parseEntry(text: string): Entry | undefined {
  const match = /^(?<host>\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(?<port>\d{1,5}))?$/i.exec(text);
  if (!match?.groups) return undefined;
  const port = match.groups.port === undefined ? undefined : Number(match.groups.port);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const url = URL.parse(`https://${match.groups.host}`);
  return url === null ? undefined : { host: bareHost(url), port };
}

/** Returns the host without the brackets of IPv6 and without the final dot of a fully qualified name. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
