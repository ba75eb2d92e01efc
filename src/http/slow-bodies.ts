import type { Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findPrincipal } from './principal.ts';

const MIN_BYTES_PER_SECOND = 1_000;

interface Watched {
  readonly reply: FastifyReply;
  since: number;
  bytes: number;
}

const admitted = new WeakSet<FastifyRequest>();

/** Exempts a request with a credential that is not a key: an operator's session, an upload link. */
export function admitBody(request: FastifyRequest): void {
  admitted.add(request);
}

/**
 * Closes the connection of a request without a valid credential whose body arrives too slowly. Without this, a rejected
 * request could hold its connection for the whole request timeout, because Node.js reads the rest of its body.
 */
export class SlowBodies {
  readonly #watched = new Map<FastifyRequest, Watched>();
  readonly #server: Server;
  readonly #windowMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, windowMs: number) {
    this.#server = server;
    this.#windowMs = windowMs;
    this.#timer = setInterval(() => this.#sweep(), Math.min(1_000, windowMs)).unref();
  }

  watch(request: FastifyRequest, reply: FastifyReply): void {
    const { headers, socket } = request.raw;
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
    this.#watched.set(request, { reply, since: performance.now(), bytes: socket.bytesRead });
  }

  /** Called after the response was sent. The request is watched until its body has arrived. */
  ended(request: FastifyRequest): void {
    if (this.#isOver(request)) this.#watched.delete(request);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #isOver(request: FastifyRequest): boolean {
    const { complete, destroyed, socket } = request.raw;
    const authenticated = admitted.has(request) || findPrincipal(request) !== undefined;
    return authenticated || complete || (destroyed && socket.destroyed);
  }

  #sweep(): void {
    const now = performance.now();
    for (const [request, watched] of this.#watched) {
      if (this.#isOver(request)) this.#watched.delete(request);
      else if (now - watched.since >= this.#windowMs) this.#judge(request, watched, now);
    }
  }

  #judge(request: FastifyRequest, watched: Watched, now: number): void {
    const { socket } = request.raw;
    const seconds = (now - watched.since) / 1000;
    if ((socket.bytesRead - watched.bytes) / seconds >= MIN_BYTES_PER_SECOND) {
      watched.since = now;
      watched.bytes = socket.bytesRead;
      return;
    }
    this.#watched.delete(request);
    if (watched.reply.raw.headersSent) socket.destroy();
    else
      this.#server.emit(
        'clientError',
        Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        socket,
      );
  }
}
