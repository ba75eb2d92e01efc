/** Limits for reading one workbook. */
export interface WorkbookLimits {
  readonly maxMs: number;
  /** Resident size of the process that reads it. */
  readonly maxRssBytes: number;
  /** Size of the sheet's XML when unpacked. */
  readonly maxSheetBytes: number;
}

/** Limits for the command line, where the user reads their own file on their own machine. */
export const LOCAL_WORKBOOK_LIMITS: WorkbookLimits = {
  maxMs: 60_000,
  maxRssBytes: 1_500_000_000,
  maxSheetBytes: 400_000_000,
};

/** The limits of uploads, from the settings. */
export function workbookLimits(settings: {
  readonly xlsxTimeoutMs: number;
  readonly xlsxMaxMemoryBytes: number;
  readonly xlsxMaxSheetBytes: number;
}): WorkbookLimits {
  return {
    maxMs: settings.xlsxTimeoutMs,
    maxRssBytes: settings.xlsxMaxMemoryBytes,
    maxSheetBytes: settings.xlsxMaxSheetBytes,
  };
}
