import { bulkfill } from '#bulkfill/surface.ts';
import { ingest } from '#ingest/surface.ts';
import { subscribers } from '#subscribers/surface.ts';
import type { SurfaceSpec } from '#surface.ts';

/** The surfaces of the product: the only place that names them. Paths outside all of them answer in the dialect of the first. */
export const surfaces: readonly SurfaceSpec[] = [bulkfill, subscribers, ingest];
