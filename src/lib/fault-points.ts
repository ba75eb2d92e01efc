/**
 * Named points between two steps at which a test can kill the process. In production a call does nothing. The crash suite installs a
 * handler that sends SIGKILL, restarts the process and checks the invariants. It covers every point in this list.
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
  'slice.before-tally',
  'slice.after-tally',
  'settle.after-begin',
  'settle.after-finish',
  'settle.before-commit',
  'settle.after-commit',
  'cancel.before-commit',
  'cancel.after-commit',
  'blob.before-rename',
  'blob.after-rename',
  'sweep.after-condemned',
  'sweep.after-record',
  'sweep.after-files',
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
