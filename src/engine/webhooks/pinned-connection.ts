import { isIP, type LookupFunction } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { JudgedTarget } from './target-guard.ts';

/**
 * A TLS connection to addresses that were judged beforehand, for one request.
 *
 * The name is never resolved again: `lookup` hands out the judged addresses, so the address judged is the
 * address used. The certificate is checked against the name in the URL, with the process's trusted roots
 * (`NODE_EXTRA_CA_CERTS` adds to them), whatever `NODE_TLS_REJECT_UNAUTHORIZED` says.
 */
export interface PinnedConnection {
  readonly connect: buildConnector.connector;
  /** How far it came; names the part that failed. */
  phase(): 'connecting' | 'handshake' | 'open';
  bytesRead(): number;
  /** Ends it in any phase; whoever waits for it is told the error. */
  destroy(error?: Error): void;
}

/**
 * What is read from a receiver at most. Only the status line matters to us. Sockets hand over at most
 * 16 KiB at a time here, so stopping beyond this mark stays below 64 kB in all.
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
    // The type of `connect` does not know `highWaterMark`; the socket does.
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
      // Ahead of the HTTP parser's own listener: headers without end, informational answers without end
      // and chunk extensions without end all stop here, whatever the parser would still put up with.
      opened.on('readable', () => {
        if (opened.bytesRead > STOP_READING_AT_BYTES) opened.destroy(new Error('the answer is too long'));
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
    if (first === undefined) throw new Error('bug: a connection without an address');
    if (options.all) done(null, found);
    else done(null, first.address, first.family);
  };
}
