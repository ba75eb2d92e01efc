import { isIP, type LookupFunction } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { JudgedTarget } from './target-guard.ts';

/**
 * A TLS connection for one request, to addresses that were checked before.
 *
 * The name is never resolved again: `lookup` returns the checked addresses, so the checked address is the one used. The
 * certificate is verified against the name in the URL, with the process's trusted roots (`NODE_EXTRA_CA_CERTS` adds to
 * them), whatever `NODE_TLS_REJECT_UNAUTHORIZED` says.
 */
export interface PinnedConnection {
  readonly connect: buildConnector.connector;
  /** How far the connection got; used in error messages. */
  phase(): 'connecting' | 'handshake' | 'open';
  bytesRead(): number;
  /** Ends the connection in any phase. Waiters receive the error. */
  destroy(error?: Error): void;
}

/**
 * Maximum bytes read from a receiver. Only the status line matters. Sockets deliver at most 16 KiB at a time here, so
 * stopping at this mark stays below 64 kB in total.
 */
const STOP_READING_AT_BYTES = 40_000;

export function pinnedConnection(
  target: JudgedTarget,
  addresses: readonly string[],
  ca: string | undefined,
): PinnedConnection {
  let socket: TLSSocket | undefined;
  let phase: 'connecting' | 'handshake' | 'open' = 'connecting';
  const open: buildConnector.connector = (_, callback) => {
    // The type of `connect` lacks `highWaterMark`; the socket supports it.
    const options: ConnectionOptions & { highWaterMark: number } = {
      host: target.host,
      port: target.port,
      servername: target.literal ? '' : target.host,
      lookup: pinned(addresses),
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      highWaterMark: 16_384,
      ...(ca === undefined ? {} : { ca }),
    };
    const opened = connect(options);
    socket = opened;
    const failed = (error: Error) => callback(error, null);
    opened.setNoDelay(true);
    opened.once('connect', () => {
      phase = 'handshake';
    });
    opened.once('error', failed);
    opened.once('secureConnect', () => {
      phase = 'open';
      opened.off('error', failed);
      // Runs before the HTTP parser's own listener: endless headers, informational responses or chunk extensions stop
      // here, whatever the parser would tolerate.
      opened.on('readable', () => {
        if (opened.bytesRead > STOP_READING_AT_BYTES) opened.destroy(new Error('the response is too long'));
      });
      callback(null, opened);
    });
  };
  return {
    connect: open,
    phase: () => phase,
    bytesRead: () => socket?.bytesRead ?? 0,
    destroy: (error) => socket?.destroy(error),
  };
}

function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    const [first] = found;
    if (first === undefined) throw new Error('bug: the connection has no address');
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  };
}
