import { readFileSync } from 'node:fs';
import type { TrustProxy } from '#config/parse-values.ts';
import type { Config } from '#config.ts';

/** The part of the configuration that the shell needs. */
export interface HttpSettings {
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly trustProxy: TrustProxy;
  readonly tls: TlsFiles | undefined;
  /** The time within which a whole request, body included, must arrive. */
  readonly requestTimeoutMs: number;
  /** How often Node.js checks for requests that are late. */
  readonly timeoutCheckMs: number;
  /** Open connections per client address; 0 or absent: no limit. */
  readonly connectionsPerAddress?: number;
  /** Invalid keys per client address and minute; 0 or absent: no limit. */
  readonly failedKeysPerMinute?: number;
  /** How long the body of an unauthenticated request may stall; by default SLOW_BODY_MS. */
  readonly slowBodyMs?: number;
}

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly clientCa: Buffer | undefined;
}

/** Idle sockets are closed after this time; it is longer than any wait of a route. */
export const IDLE_SOCKET_MS = 180_000;
/** Longer than the 60 s of common load balancers, so that they close first. */
export const KEEP_ALIVE_MS = 65_000;
export const HEADERS_TIMEOUT_MS = 30_000;
/** A window of this length and the sweep after it close a stalled body within 10 s (HTTP36). */
export const SLOW_BODY_MS = 4_000;
export const MAX_HEADER_BYTES = 16_384;
/** JSON that is parsed at once, on the main thread: the worst megabyte (empty arrays) takes less than 0.1 s. */
export const MAX_JSON_BYTES = 1024 * 1024;
/** JSON with a few short members. */
export const MAX_SMALL_JSON_BYTES = 64 * 1024;

export function httpSettings(config: Config): HttpSettings {
  return {
    basePath: config.basePath,
    publicUrl: config.publicUrl?.replace(/\/$/, ''),
    trustProxy: config.trustProxy,
    tls: readTls(config),
    requestTimeoutMs: config.requestTimeoutMs,
    timeoutCheckMs: 5_000,
    connectionsPerAddress: config.connectionsPerAddress,
    failedKeysPerMinute: config.failedKeysPerMinute,
  };
}

function readTls({ tlsCert, tlsKey, tlsClientCa }: Config): TlsFiles | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    cert: readFileSync(tlsCert),
    key: readFileSync(tlsKey),
    clientCa: tlsClientCa === undefined ? undefined : readFileSync(tlsClientCa),
  };
}
