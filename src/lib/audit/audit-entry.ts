import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** One line of an exported audit log. */
export interface AuditEntry {
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly action: string;
  readonly account: { readonly id: string; readonly name: string | null } | null;
  readonly target: string | null;
  readonly details: unknown;
  readonly request_id: string;
}

export interface ChainedEntry extends AuditEntry {
  /** Hash of the previous entry; zeros for the first entry. */
  readonly previous_hash: string;
  /** SHA-256 of all other members in canonical form (RFC 8785). */
  readonly hash: string;
}

/** The last entry of a chain, to which the next one refers. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainLink = { seq: 0, hash: '0'.repeat(64) };

export const hashEntry = (entry: Omit<ChainedEntry, 'hash'>): string =>
  createHash('sha256')
    .update(canonicalize(entry) ?? '')
    .digest('hex');
