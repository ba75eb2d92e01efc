/** The part of a logger that the inner layers use; a pino logger is one. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {} };
