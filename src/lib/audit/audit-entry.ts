import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** One line of the audit log, as it is exported. */
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
  /** Of the entry before this one; zeros for the first of all. */
  readonly previous_hash: string;
  /** SHA-256 of all other members in their canonical form (RFC 8785). */
  readonly hash: string;
}

/** The end of a chain: the entry that the next one refers to. */
export interface ChainLink {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainLink = { seq: 0, hash: '0'.repeat(64) };

export const hashEntry = (entry: Omit<ChainedEntry, 'hash'>): string =>
  createHash('sha256')
    .update(canonicalize(entry) ?? '')
    .digest('hex');
