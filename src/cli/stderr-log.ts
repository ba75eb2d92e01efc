import type { PlainLog } from '#lib/plain-log.ts';
import { tell } from './answer.ts';

/** What the inner layers have to say, to a person at a terminal. */
export const stderrLog: PlainLog = {
  info: (message) => tell(`rowpress: ${message}`),
  warn: (message) => tell(`rowpress: ${message}`),
};
