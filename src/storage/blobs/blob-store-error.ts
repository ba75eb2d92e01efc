import { SurroundingsError } from '#lib/errors/surroundings-error.ts';

/** A failure of the blob store itself, classified by its adapter. */
export class BlobStoreError extends SurroundingsError {}
