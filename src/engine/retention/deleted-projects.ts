/** How long a deleted project can be restored. */
export const RESTORABLE_MS = 86_400_000;
