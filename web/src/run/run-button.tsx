import { Play } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { RunDialog } from './run-dialog.tsx';
import { useShownRun } from './run-subject.ts';

/** Opens the run dialog. While a run is in progress, shows its percentage. */
export function RunButton() {
  const [open, setOpen] = useState(false);
  const { stage } = useShownRun();
  const label =
    stage.at === 'running'
      ? `Running ${Math.floor((100 * stage.job.done) / Math.max(1, stage.job.total))} %`
      : stage.at === 'sending'
        ? 'Starting…'
        : 'Run';
  return (
    <>
      <Button look="primary" icon={<Play size={15} />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && <RunDialog onClose={() => setOpen(false)} />}
    </>
  );
}
