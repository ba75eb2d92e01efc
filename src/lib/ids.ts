import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { systemClock } from './clock.ts';

/** The only source of identifiers in the product. Tests can pass a predictable one. */
export interface Ids {
  /** Our own ids: time-ordered, so that indexes grow at one end. */
  uuid(): string;
  /** Used if a contract shows a random UUID (request ids, public job ids). */
  randomUuid(): string;
  /** Ids of the ingest surface. */
  ulid(): string;
}

export const systemIds: Ids = {
  uuid: timeOrderedUuids(() => systemClock.now().getTime()),
  randomUuid: () => randomUUID(),
  ulid: () => ulid(),
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Accepts any version, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Makes time-ordered UUIDs (RFC 9562 section 5.7): 48 bits of milliseconds, a counter of 12 bits, 62 random bits. The counter (section
 * 6.2, method 1) orders the ids of one millisecond. It starts in the lower half of its range; if it overflows, or the clock goes back, the
 * time of the last id is used and incremented.
 */
export function timeOrderedUuids(now: () => number): () => string {
  let time = 0;
  let counter = 0;
  return () => {
    const random = randomUUID();
    const current = now();
    if (current > time) {
      time = current;
      counter = Number.parseInt(random.slice(15, 18), 16) & 0x7ff;
    } else {
      counter += 1;
      if (counter > 0xfff) {
        time += 1;
        counter = 0;
      }
    }
    const hex = time.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`;
  };
}
