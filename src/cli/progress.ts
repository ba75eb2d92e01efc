/** A progress bar on standard error if it is a terminal, otherwise nothing. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

export interface ProgressWords {
  /** What the command is doing: "filling". */
  readonly verb: string;
  /** What it counts: "rows". */
  readonly unit: string;
}

export type StartProgress = (total: number, words: ProgressWords) => Progress;

export async function loadProgress(): Promise<StartProgress> {
  if (!process.stderr.isTTY) return () => ({ update: () => undefined, stop: () => undefined });
  const { default: cliProgress } = await import('cli-progress');
  return (total, { verb, unit }) => {
    const bar = new cliProgress.SingleBar({
      format: `${verb} {bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
    });
    bar.start(total, 0);
    return { update: (done) => bar.update(done), stop: () => bar.stop() };
  };
}

export async function startProgress(total: number, words: ProgressWords): Promise<Progress> {
  return (await loadProgress())(total, words);
}
