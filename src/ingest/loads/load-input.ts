import type { Slice } from '#lib/records/slice.ts';
import type { LoadMode } from '#storage/ingest/loads.ts';
import type { PayloadFormat } from '../batch/payload-slice.ts';

export const LOAD_KIND = 'ingest.load';

/** The stored input of a load's job. The items themselves stay in the blob store. */
export interface LoadInput {
  readonly partnerNo: number;
  readonly partnerId: string;
  readonly collection: string;
  readonly mode: LoadMode;
  readonly correlationId: string;
  readonly warehouseId: string | null;
  /** The limit of the credential (`WarehouseLimit`). Absent in jobs of earlier versions. */
  readonly warehouses?: readonly string[] | null;
  readonly format: PayloadFormat;
  readonly payload: string;
  readonly slices: readonly Slice[];
}

/** Also names the bytes of the next slice, so that it can be prepared while this one is written. */
export interface LoadSlice extends Slice {
  readonly next?: Slice;
}

export interface LoadedSlice {
  readonly items: number;
}
