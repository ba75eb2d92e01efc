import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { ByteBudget, Reservation } from '#lib/byte-budget.ts';
import { findPrincipal } from './principal.ts';
import { ShellRefusal } from './translate-error.ts';

/** Bodies up to this size are too small to matter. */
const FREE_BYTES = 64 * 1024;
/** A JSON body is held as chunks, joined, as a string and as objects: four times its size, measured with 4 MB. */
const BODY_FACTOR = 4;
/** A rejected body is read to its end, without storing it, if it has no more than this left. */
const MAX_REST_BYTES = 4_000_000;
/** After a client has disconnected, its handler may still use the body. Its bytes are released no later than this. */
const ABANDONED_MS = 30_000;

const held = new WeakMap<FastifyRequest, Reservation>();
const handled = new WeakSet<FastifyRequest>();

/** Releases the memory of requests: after the response was made, or when the client disconnects before that. */
export function releaseHeldBodies(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (held.has(request)) handled.add(request);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    held.get(request)?.release();
    done(null, payload);
  });
}

/** Reads a whole body within the limit of its route, and uses the memory budget until the response is made. */
export async function readHeldBody(
  request: FastifyRequest,
  payload: NodeJS.ReadableStream,
  budget: ByteBudget,
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length'] ?? 0) > limit)
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const chunks: Buffer[] = [];
  let length = 0;
  let counted = FREE_BYTES;
  await new Promise<void>((resolve, reject) => {
    const stop = (error?: unknown) => {
      payload.off('data', onData).off('end', stop).off('error', endsEarly).off('close', endsEarly);
      if (error === undefined) return resolve();
      chunks.length = 0;
      held.get(request)?.release();
      payload.resume();
      // The response closes the connection. A client that is still sending could miss it, so a short rest is read first.
      const rest = Number(request.headers['content-length'] ?? Number.NaN) - length;
      if (!(rest > 0 && rest <= MAX_REST_BYTES) || request.raw.destroyed) return reject(error);
      payload.once('end', () => reject(error)).once('close', () => reject(error));
    };
    const endsEarly = () => stop(new ShellRefusal('malformed', 'The body is incomplete.'));
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      try {
        if (length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
        if (length <= counted) return;
        hold(request, budget, (length - counted) * BODY_FACTOR);
        counted = length;
      } catch (error) {
        stop(error);
      }
    };
    payload.on('data', onData).on('end', stop).on('error', endsEarly).on('close', endsEarly);
  }).catch((error: unknown) => {
    held.get(request)?.release();
    throw error;
  });
  return Buffer.concat(chunks, length);
}

function hold(request: FastifyRequest, budget: ByteBudget, bytes: number): void {
  const known = held.get(request);
  if (known !== undefined) {
    known.grow(bytes);
    return;
  }
  const { socket } = request.raw;
  const reservation = budget.reserve(findPrincipal(request)?.accountId ?? 'no account', bytes);
  const onClose = () => {
    if (handled.has(request)) setTimeout(reservation.release, ABANDONED_MS).unref();
    else reservation.release();
  };
  // The socket serves further requests; its listeners must not add up.
  const done = () => {
    socket.off('close', onClose);
    reservation.release();
  };
  socket.once('close', onClose);
  held.set(request, { ...reservation, release: done });
}
