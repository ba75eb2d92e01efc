import { HistoryDrawer } from './history-drawer.tsx';
import { RunChoicesForm } from './run-choices-form.tsx';
import { RunDialog } from './run-dialog.tsx';
import { type RunWindow, showWindow } from './run-store.ts';

const close = () => showWindow(null);

/** The dialogs of a run. They are loaded when the first of them opens. */
export function RunWindows({ window }: { window: RunWindow }) {
  if (window === 'run') return <RunDialog onClose={close} />;
  if (window === 'options') return <RunChoicesForm onClose={close} />;
  return <HistoryDrawer onClose={close} />;
}
