const CHECK_MS = 250;
/** Longer than a signal to the whole process group takes to arrive here after it ended the parent. */
const OWN_SIGNAL_MS = 250;

/**
 * Sends SIGTERM to this process once its parent has ended. npm runs commands in a shell and passes a signal only to that shell, which
 * ends without passing it on. A process that gets its own signal is left alone, because a second one would end it at once.
 */
export function stopWithParent(): void {
  const parent = process.ppid;
  let pending: NodeJS.Timeout | undefined;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    pending = setTimeout(() => process.kill(process.pid, 'SIGTERM'), OWN_SIGNAL_MS);
  }, CHECK_MS).unref();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      clearInterval(check);
      clearTimeout(pending);
    });
}
