import { request as httpRequest } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Api, ApiRequest } from './api.ts';

interface OwnServer {
  /** The public address; by default the one that the caller used. */
  readonly publicUrl: string | undefined;
  readonly basePath: string;
}

/**
 * The API of this server for the caller of a request, with the caller's own credential, address and request id. Its
 * requests take the whole path of the HTTP shell, over a connection in memory instead of the network, so that guards,
 * limits, logs and aborts are those of any other request.
 */
export function ownServerApi(
  { server }: FastifyInstance,
  caller: FastifyRequest,
  { publicUrl, basePath }: OwnServer,
): Api {
  const headers = {
    host: caller.host,
    authorization: caller.headers.authorization ?? '',
    'x-request-id': caller.id,
    'user-agent': 'rowpress-mcp',
  };
  const secure = caller.protocol === 'https';
  const connect = () => {
    const [near, far] = duplexPair();
    // One end of a pair does not close the other.
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    // Behind the decryption, if the server has TLS.
    server.emit('addContext' in server ? 'secureConnection' : 'connection', far);
    // Set only now, because the limit of connections per address (HTTP37) must not count the caller twice.
    Object.assign(far, { remoteAddress: caller.ip, encrypted: secure });
    return near;
  };
  return {
    baseUrl: publicUrl?.replace(/\/$/, '') ?? `${caller.protocol}://${caller.host}${basePath}`,
    fetch: (path, { method, headers: own, body, signal }: ApiRequest) =>
      new Promise((resolve, reject) => {
        const sent = httpRequest({
          createConnection: connect,
          path: `${basePath}${path}`,
          method,
          headers: { ...own, ...headers },
          signal,
        });
        sent.once('error', reject).once('response', (response) => {
          const { statusCode: status = 500, headersDistinct } = response;
          const fields = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value) => [name, value] as [string, string]),
          );
          resolve(new Response(Readable.toWeb(response) as ReadableStream, { status, headers: fields }));
        });
        sent.end(body);
      }),
  };
}
