/** The part of a logger that the inner layers use; a pino logger is one, and so is standard error. */
export interface PlainLog {
  info(message: string): void;
  warn(message: string): void;
}

export const silentLog: PlainLog = { info: () => {}, warn: () => {} };
