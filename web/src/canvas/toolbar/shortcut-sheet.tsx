import { useSingleKeys } from '../../shell/single-keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/field.tsx';
import { useCanvas } from '../canvas-store.ts';
import { GESTURES, SHORTCUTS } from '../commands/shortcuts.ts';
import { shownKeys } from './shown-keys.ts';
import styles from './toolbar.module.css';

export function ShortcutSheet() {
  const open = useCanvas((canvas) => canvas.sheetOpen);
  const single = useSingleKeys();
  if (!open) return null;
  const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ...Object.entries(SHORTCUTS).map(
      ([name, list]) => [name, list.map(({ keys, does }) => [keys, does] as const)] as const,
    ),
    ['Mouse and keyboard', GESTURES],
  ];
  return (
    <Dialog title="Shortcuts" wide onClose={() => useCanvas.setState({ sheetOpen: false })}>
      <Switch
        label="Single-key shortcuts"
        hint="When off, only shortcuts with Ctrl or Cmd and keys such as Delete work."
        checked={single.on}
        onChange={single.switchTo}
      />
      <div className={styles.sheet}>
        {groups.map(([name, list]) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {list.map(([keys, does]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{shownKeys(keys)}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
