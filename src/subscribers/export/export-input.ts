import type { SubscriberRange } from '#storage/subscribers/people.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportInput {
  readonly selection: {
    readonly query: string | null;
    readonly status: string | null;
    readonly coldOnly: boolean;
  };
  readonly format: ExportFormat;
  /** Time of the request. It names the file and decides who is cold, in all slices alike. */
  readonly at: string;
  /** The custom fields at that time, so that all slices have the same columns. */
  readonly fields: readonly { readonly id: string; readonly label: string }[];
  readonly slices: readonly SubscriberRange[];
}

/** The input of an export that was accepted before exports had slices. Its only slice reads everybody. */
export type UnslicedExportInput = Pick<ExportInput, 'selection' | 'format'> & {
  /** Day of the request, for the file name. */
  readonly day: string;
};

export interface ExportResult {
  readonly digest: string;
  readonly bytes: number;
  readonly count: number;
}

export interface ExportOutcome {
  readonly count: number;
  readonly fileName: string;
}
