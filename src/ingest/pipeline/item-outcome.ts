import type { CollectionDefinition } from '../collections/definition.ts';
import { publicId } from '../public-id.ts';

/** The outcome of one position in the payload. */
export interface ItemOutcome {
  readonly sourceId: string | null;
  readonly status: 'ACCEPTED' | 'REPLAY' | 'QUARANTINED' | 'REJECTED';
  /** Id of the item or of its quarantine record, as stored. */
  readonly id?: string;
  readonly reason?: string;
}

/** The same as partners see it. */
export interface ItemResult {
  readonly source_id: string | null;
  readonly status: ItemOutcome['status'];
  readonly internal_id?: string;
  readonly quarantine_id?: string;
  readonly reason?: string;
}

export function toResult(
  { prefix }: Pick<CollectionDefinition, 'prefix'>,
  { sourceId, status, id, reason }: ItemOutcome,
): ItemResult {
  if (status === 'REJECTED' || id === undefined)
    return { source_id: sourceId, status, ...(reason !== undefined && { reason }) };
  if (status === 'QUARANTINED')
    return {
      source_id: sourceId,
      status,
      quarantine_id: publicId('qn', id),
      ...(reason !== undefined && { reason }),
    };
  return { source_id: sourceId, status, internal_id: publicId(prefix, id) };
}
