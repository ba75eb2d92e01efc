import type { Socket } from 'node:net';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '#lib/errors/api-error.ts';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import type { Ids } from '#lib/ids.ts';
import { type Dialects, pathOf } from './dialects/dialects.ts';
import { errorHeaders } from './send-error.ts';

/**
 * Requests that Node.js aborts before or while a route runs: unreadable HTTP, headers above the limit, a body that does not
 * arrive in time. There is only the socket then, and no request object.
 */
const FAULTS: Readonly<Record<string, readonly [ShellFault, string]>> = {
  HPE_HEADER_OVERFLOW: ['headersTooLarge', 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['timeout', 'The request did not arrive in time.'],
};

/** The current request of a socket. Its timeout response uses its own dialect. */
const current = new WeakMap<Socket, { url: string; reply: FastifyReply }>();

export function rememberSocket(request: FastifyRequest, reply: FastifyReply): void {
  current.set(request.socket, { url: request.url, reply });
}

/** Reports whether a request of this connection has no response yet. */
export function isAnswering(socket: Socket): boolean {
  const busy = current.get(socket);
  return busy !== undefined && !busy.reply.raw.closed;
}

interface ClientErrorOptions {
  readonly dialects: Dialects;
  readonly ids: Ids;
  readonly publicUrl: string | undefined;
}

export function createClientErrorHandler({ dialects, ids, publicUrl }: ClientErrorOptions) {
  return function answerOnSocket(error: ConnectionError, socket: Socket): void {
    const busy = current.get(socket);
    const started = busy !== undefined && !busy.reply.raw.writableFinished && busy.reply.raw.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || started) {
      socket.destroy();
      return;
    }
    const url = requestLineUrl((error as { rawPacket?: unknown }).rawPacket) ?? busy?.url ?? '/';
    socket.end(rawAnswer(error.code, url));
  };

  function rawAnswer(code: string, url: string): string {
    const dialect = dialects.choose(url);
    const [fault, message] = FAULTS[code] ?? ['malformed', 'The request is not readable HTTP.'];
    const error = new ApiError(dialect.errors, dialect.errors.shell[fault as ShellFault], message);
    // Without headers there is no request id of the caller.
    const { id, headers } = dialect.identify({ headersDistinct: {} } as never, ids);
    const context = { requestId: id, path: pathOf(url), baseUrl: publicUrl ?? 'http://localhost' };
    const { contentType, body } = dialect.render(error, context);
    const text = JSON.stringify(body);
    const head = {
      ...headers,
      ...errorHeaders(error),
      'content-type': contentType,
      'content-length': String(Buffer.byteLength(text)),
      connection: 'close',
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    return `HTTP/1.1 ${error.entry.status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
  }
}

function requestLineUrl(packet: unknown): string | undefined {
  const line = Buffer.isBuffer(packet) ? packet.subarray(0, 2048).toString('latin1') : '';
  return /^[A-Z]+ (\/[^\s]*)/.exec(line)?.[1];
}
