export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportInput {
  readonly selection: {
    readonly query: string | null;
    readonly status: string | null;
    readonly coldOnly: boolean;
  };
  readonly format: ExportFormat;
  /** Day of the request, for the file name. */
  readonly day: string;
}

export interface ExportResult {
  readonly digest: string;
  readonly bytes: number;
  readonly count: number;
}

export interface ExportOutcome {
  readonly count: number;
  readonly fileName: string;
}
