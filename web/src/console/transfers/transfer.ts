import type { Tone } from '../../ui/badge.tsx';

type Status = 'Queued' | 'Processing' | 'Completed' | 'Failed';

/** An import of subscribers, as its own surface shows it. */
export interface ImportJob {
  readonly id: string;
  readonly status: Status;
  readonly row_count: number;
  readonly created_count: number;
  readonly updated_count: number;
  readonly unchanged_count: number;
  readonly failed_count: number;
  readonly progress: number;
  readonly dry_run: boolean;
  readonly created_at: string;
}

export interface ExportJob {
  readonly id: string;
  readonly status: Status;
  readonly exported_count: number | null;
  readonly completed_at: string | null;
  readonly created_at: string;
}

/** Only the single export tells its link; the list does not. */
export interface ExportDetail extends ExportJob {
  readonly format: string;
  readonly file_name: string | null;
  readonly download_url: string | null;
  readonly expires_at: string | null;
}

export interface SurfaceList<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

export const STATUS_TONES: Readonly<Record<Status, Tone>> = {
  Queued: 'neutral',
  Processing: 'accent',
  Completed: 'good',
  Failed: 'bad',
};
