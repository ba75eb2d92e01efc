import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import type { EarlierRun } from './run-subject.ts';

/** A notice about a run of other inputs than those on the screen, with a button that shows it. */
export function EarlierBanner({ run, onShow }: { run: EarlierRun; onShow: () => void }) {
  return (
    <Banner
      title="Earlier run of other data or another layout"
      action={<Button onClick={onShow}>Show earlier run</Button>}
    >
      {earlierWords(run)}
    </Banner>
  );
}

function earlierWords({ subject, stage }: EarlierRun): string {
  const { job } = stage;
  const rows = `${job.total.toLocaleString()} ${job.total === 1 ? 'row' : 'rows'}`;
  const state =
    stage.at === 'running'
      ? `${job.done.toLocaleString()} done`
      : stage.outcome.status === 'completed'
        ? 'finished'
        : 'not finished';
  return `“${subject.projectName}” with ${subject.rowsName}: ${rows}, ${state}`;
}
