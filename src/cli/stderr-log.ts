import type { PlainLog } from '#lib/plain-log.ts';
import { tell } from './answer.ts';

/** Logs messages of the inner layers to a terminal. */
export const stderrLog: PlainLog = {
  info: (message) => tell(`rowpress: ${message}`),
  warn: (message) => tell(`rowpress: ${message}`),
};
