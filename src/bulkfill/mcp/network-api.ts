import type { Api } from './api.ts';

/** A waiting call lasts at most a minute; a connection without any answer is given up later than that. */
const TIMEOUT_MS = 90_000;

/** The API of a server on the network. */
export function networkApi({ server, apiKey }: { readonly server: string; readonly apiKey: string }): Api {
  const baseUrl = server.replace(/\/+$/, '');
  return {
    baseUrl,
    fetch: (path, { signal, headers, ...init }) =>
      fetch(`${baseUrl}${path}`, {
        ...init,
        // A redirect to another host must not receive the key.
        redirect: 'error',
        headers: { ...headers, authorization: `Bearer ${apiKey}`, 'user-agent': 'rowpress-mcp' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      }),
  };
}
