import { EmptyState } from '../ui/badge.tsx';

/** The rows the layout is tried with: the file, how it is read, its columns. */
export function DataPanel() {
  return <EmptyState title="No rows yet">Drop a CSV or an Excel workbook here.</EmptyState>;
}
