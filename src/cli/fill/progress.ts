/** A progress bar on standard error if it is a terminal, otherwise nothing. */
export interface Progress {
  rows(done: number): void;
  stop(): void;
}

export async function startProgress(total: number): Promise<Progress> {
  if (!process.stderr.isTTY) return { rows: () => undefined, stop: () => undefined };
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: 'filling {bar} {percentage}% | {value}/{total} rows | {eta_formatted} left',
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(total, 0);
  return { rows: (done) => bar.update(done), stop: () => bar.stop() };
}
