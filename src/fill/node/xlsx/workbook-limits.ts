/** What reading one workbook may take. */
export interface WorkbookLimits {
  readonly maxMs: number;
  /** Resident size of the process that reads it. */
  readonly maxRssBytes: number;
  /** Size of the sheet's XML when unpacked. */
  readonly maxSheetBytes: number;
}

/** For a person's own file on the person's own machine: nobody else waits. */
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
