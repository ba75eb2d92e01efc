/** The surfaces by their name in the API. */
const SURFACE_NAMES: Readonly<Record<string, string>> = {
  bulkfill: 'Bulk Fill',
  subscribers: 'Subscribers',
  ingest: 'Ingest',
};

export const surfaceName = (surface: string): string => SURFACE_NAMES[surface] ?? surface;

export const SURFACE_CHOICES = Object.entries(SURFACE_NAMES).map(([value, name]) => ({ value, name }));
