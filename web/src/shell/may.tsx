import type { ReactNode } from 'react';
import type { Need } from '#console/contract/access.ts';
import { useSession } from './session.ts';

/** Whether the role of the signed-in person has this right. The server checks it again. */
export const useMay = (need: Need): boolean => useSession(({ may }) => may.includes(need));

/** Shows its children only to people whose role has this right. */
export function May({ need, children }: { need: Need; children: ReactNode }) {
  return useMay(need) ? children : null;
}
