/** The part of a logger that the inner layers use. Implemented by a pino logger and by standard error. */
export interface PlainLog {
  info(message: string): void;
  warn(message: string): void;
}

export const silentLog: PlainLog = { info: () => {}, warn: () => {} };
