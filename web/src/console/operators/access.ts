import type { PendingLink } from '#console/contract/session.ts';
export const linkName = (link: PendingLink): string => link.for ?? 'the first operator';
