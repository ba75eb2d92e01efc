import { ulid } from 'ulid';
import { v4, v7 } from 'uuid';

/** The only source of identifiers in the product; tests may hand in a predictable one. */
export interface Ids {
  /** Our own ids: time-ordered, so that indexes grow at one end. */
  uuid(): string;
  /** Where a contract shows a random UUID (request ids, public job ids). */
  randomUuid(): string;
  /** Ids of the ingest surface. */
  ulid(): string;
}

export const systemIds: Ids = { uuid: () => v7(), randomUuid: () => v4(), ulid: () => ulid() };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Of any version, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);
