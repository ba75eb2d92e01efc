/** Reported to `onProgress`. */
export type Progress =
  | { readonly phase: 'upload'; readonly bytes: number; readonly totalBytes: number | undefined }
  | {
      readonly phase: 'job';
      readonly status: string;
      /** Rows or items. */
      readonly done: number | undefined;
      readonly total: number | undefined;
      readonly failed: number | undefined;
    }
  | { readonly phase: 'download'; readonly bytes: number; readonly totalBytes: number | undefined };

export type OnProgress = (progress: Progress) => void;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. A request that the server has accepted stays accepted. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of calls that send or wait. */
export interface ProgressOptions extends CallOptions {
  readonly onProgress?: OnProgress | undefined;
}
