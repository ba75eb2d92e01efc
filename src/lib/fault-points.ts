/**
 * Named places between two steps where a test may kill the process. In production a call does nothing; the
 * crash suite installs a handler that ends the process with SIGKILL, then restarts it and checks the
 * invariants. A new place is added here, so the suite cannot miss it.
 */
export const faultPoints = [
  'accept.before-claim',
  'accept.after-claim',
  'accept.before-commit',
  'accept.after-commit',
  'slice.after-begin',
  'slice.after-run',
  'slice.before-commit',
  'slice.after-commit',
  'settle.after-begin',
  'settle.after-finish',
  'settle.before-commit',
  'settle.after-commit',
  'cancel.before-commit',
  'cancel.after-commit',
  'blob.before-rename',
  'blob.after-rename',
  'sweep.after-record',
  'webhook.before-send',
  'webhook.after-send',
  'webhook.after-record',
  'embedded.after-role',
  'embedded.after-hand-over',
  'embedded.after-password',
  'embedded.after-rules',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

type FaultHandler = (point: FaultPoint) => void | Promise<void>;
let handler: FaultHandler | undefined;

export function onFaultPoint(installed: FaultHandler | undefined): void {
  handler = installed;
}

export function faultPoint(point: FaultPoint): void | Promise<void> {
  return handler?.(point);
}
