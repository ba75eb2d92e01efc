import type { DeliveredObjects } from '#engine/delivered-objects.ts';
import type { NewArtifact } from '#engine/job-kind.ts';
import type { ArtifactParts } from '../export-input.ts';
import { contentDisposition, type DownloadName } from '../read/download-name.ts';
import type { ArtifactReader } from './artifact-reader.ts';

/** The part of a delivery that a redirect needs. */
export interface HandedOff {
  readonly parts: ArtifactParts;
  readonly media_type: string;
  readonly expires_at: Date;
  readonly fileName: DownloadName;
}

/** Who sends the ZIP to the client: the server (`direct`), or the object store (`cloud`). */
export interface HandOff {
  /** Returns the artifact of a settling job, with its object if the store will send it. */
  prepare(artifact: NewArtifact, open: () => Promise<ArtifactReader>): Promise<NewArtifact>;
  modeOf(parts: ArtifactParts): 'direct' | 'cloud';
  /** Returns the address of the ZIP in the object store; `expired` if no time is left. Throws if the hand-off failed. */
  redirect(delivery: HandedOff): Promise<string | 'expired'>;
}

export const directHandOff: HandOff = {
  prepare: async (artifact) => artifact,
  modeOf: () => 'direct',
  redirect: () => Promise.reject(new Error('bug: a redirect without an object store')),
};

/**
 * Stores each new ZIP as one object. A job may store `maxStoredBytes`; a ZIP above that is sent by the server, which needs
 * no copy of it.
 */
export function cloudHandOff(objects: DeliveredObjects, maxStoredBytes: number): HandOff {
  return {
    async prepare(artifact, open) {
      if (artifact.sizeBytes > maxStoredBytes) return artifact;
      const { etag, sizeBytes, mediaType } = artifact;
      const reader = await open();
      const read = ({ start, end }: { readonly start: number; readonly end: number }) =>
        pieces(reader.zip(start, end));
      const object = await objects.put({ etag, sizeBytes, mediaType, read });
      const parts: ArtifactParts = { ...(artifact.parts as ArtifactParts), object };
      return { ...artifact, parts, blobs: [...artifact.blobs, object.name] };
    },

    modeOf: ({ object }) => (object === undefined ? 'direct' : 'cloud'),

    async redirect({ parts: { object }, media_type: mediaType, expires_at: expiresAt, fileName }) {
      if (object === undefined) throw new Error('bug: a redirect without an object');
      const disposition = contentDisposition(fileName);
      return (await objects.link(object.name, { expiresAt, mediaType, disposition })) ?? 'expired';
    },
  };
}

async function* pieces(batches: AsyncIterable<readonly Uint8Array[]>): AsyncGenerator<Uint8Array> {
  for await (const batch of batches) yield* batch;
}
