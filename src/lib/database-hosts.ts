/** Parameters of libpq that choose between several servers. The driver does not know them. */
const CHOOSING = ['target_session_attrs', 'load_balance_hosts'];

interface UrlParts {
  /** Scheme, user and password. */
  readonly before: string;
  readonly hosts: string;
  readonly path: string;
  readonly params: readonly (readonly [name: string, value: string])[];
}

function takeApart(url: string): UrlParts {
  const [, before = '', hosts = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)\??([^#]*)/.exec(url) ?? [];
  const params = query
    .split('&')
    .filter((param) => param !== '')
    .map((param) => {
      const at = `${param}=`.indexOf('=');
      return [param.slice(0, at), param.slice(at + 1)] as const;
    });
  return { before, hosts, path, params };
}

/**
 * Splits a PostgreSQL URL with several servers (`postgres://user@one,two:5433/name`, or `?host=one,two`) into one URL per
 * server, in order. A URL of one server is returned as its only entry.
 */
export function splitHosts(url: string): readonly [string, ...string[]] {
  const { before, hosts, path, params } = takeApart(url);
  const listed = decodeURIComponent(params.find(([name]) => name === 'host')?.[1] ?? '').split(',');
  const ports = decodeURIComponent(params.find(([name]) => name === 'port')?.[1] ?? '').split(',');
  const others = params.filter(([name]) => !CHOOSING.includes(name));
  const join = (host: string, kept: UrlParts['params']) =>
    `${before}${host}${path}${kept.length === 0 ? '' : `?${kept.map(([name, value]) => `${name}=${value}`).join('&')}`}`;
  if (listed.length > 1) {
    const rest = others.filter(([name]) => name !== 'host' && name !== 'port');
    const [first = '', ...more] = listed.map((host, i) => {
      const port = ports[i] ?? ports[0] ?? '';
      const own = [['host', encodeURIComponent(host)] as const, ['port', port] as const];
      return join(hosts, [...rest, ...own.filter(([, value]) => value !== '')]);
    });
    return [first, ...more];
  }
  const [first = '', ...more] = hosts.split(',').map((host) => join(host, others));
  return [first, ...more];
}

/** Returns the server of a URL with one host, without the user and the password. */
export function hostName(url: string): string {
  const { hosts, params } = takeApart(url);
  const listed = params.find(([name]) => name === 'host')?.[1];
  const port = params.find(([name]) => name === 'port')?.[1];
  if (listed === undefined) return hosts;
  return `${decodeURIComponent(listed)}${port === undefined ? '' : `:${port}`}`;
}

/** Returns what is wrong with the list of servers, or undefined. */
export function hostsProblem(url: string): string | undefined {
  const { params } = takeApart(url);
  const attributes = params.find(([name]) => name === 'target_session_attrs')?.[1];
  if (attributes !== undefined && !['any', 'read-write', 'primary'].includes(attributes))
    return `must use target_session_attrs=read-write; received "${attributes}"`;
  const servers = splitHosts(url);
  if (servers.length > 1 && servers.some((server) => hostName(server) === ''))
    return 'must name a host between the commas';
  return undefined;
}
