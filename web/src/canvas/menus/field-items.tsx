import {
  AlignStartVertical,
  Check,
  ClipboardPaste,
  Columns3,
  Copy,
  CopyPlus,
  Layers,
  Lock,
  LockOpen,
  Scissors,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react';
import { columnsOf } from '../../core/overlays/value-words.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useColumnChoices } from '../../inspector/column-options.tsx';
import { isSticker } from '../../kinds/tools.ts';
import { useCanvas } from '../canvas-store.ts';
import { bindSelected, selectSameColumn } from '../commands/bind.ts';
import {
  copySelected,
  cutSelected,
  deleteSelected,
  duplicateSelected,
  pasteCopied,
  toggleLock,
} from '../commands/copies.ts';
import { goToProperties } from '../commands/go-to-properties.ts';
import { selectedOverlays } from '../commands/selected.ts';
import { MenuItem, MenuLine, SubMenu } from '../toolbar/menu.tsx';
import { shownKeys } from '../toolbar/shown-keys.ts';
import { AlignItems, OrderItems } from './arrange-items.tsx';

const icon = { size: 16, 'aria-hidden': true } as const;

/** Everything that can be done with the selected fields. */
export function FieldItems() {
  const count = useEditor((editor) => editor.selection.length);
  const locked = useCanvas(({ locked: ids }) => selectedOverlays().every(({ id }) => ids.has(id)));
  const copied = useCanvas((canvas) => canvas.copied.length);
  const overlays = selectedOverlays();
  const bindable = overlays.some((overlay) => !isSticker(overlay));
  const columns = new Set(overlays.flatMap(columnsOf));
  return (
    <>
      <MenuItem
        icon={<Scissors {...icon} />}
        shortcut={shownKeys('Mod+X')}
        disabled={locked}
        onChoose={cutSelected}
      >
        Cut
      </MenuItem>
      <MenuItem icon={<Copy {...icon} />} shortcut={shownKeys('Mod+C')} onChoose={copySelected}>
        Copy
      </MenuItem>
      <MenuItem
        icon={<ClipboardPaste {...icon} />}
        shortcut={shownKeys('Mod+V')}
        disabled={copied === 0}
        onChoose={() => pasteCopied()}
      >
        Paste
      </MenuItem>
      <MenuItem icon={<CopyPlus {...icon} />} shortcut={shownKeys('Mod+D')} onChoose={duplicateSelected}>
        Duplicate
      </MenuItem>
      <MenuItem
        icon={<Trash2 {...icon} />}
        shortcut="Delete"
        disabled={locked}
        onChoose={() => deleteSelected()}
      >
        Delete
      </MenuItem>
      <MenuLine />
      <SubMenu icon={<Columns3 {...icon} />} label="Bind to column" disabled={!bindable}>
        <ColumnItems bound={columns} />
      </SubMenu>
      <MenuItem disabled={columns.size === 0} onChoose={selectSameColumn}>
        Select same column
      </MenuItem>
      <MenuLine />
      <SubMenu icon={<AlignStartVertical {...icon} />} label="Align" disabled={locked}>
        <AlignItems count={count} />
      </SubMenu>
      <SubMenu icon={<Layers {...icon} />} label="Arrange" disabled={locked}>
        <OrderItems />
      </SubMenu>
      <MenuItem
        icon={locked ? <LockOpen {...icon} /> : <Lock {...icon} />}
        shortcut={shownKeys('Mod+L')}
        onChoose={toggleLock}
      >
        {locked ? 'Unlock' : 'Lock'}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<SlidersHorizontal {...icon} />} shortcut="Enter" onChoose={goToProperties}>
        Properties
      </MenuItem>
    </>
  );
}

function ColumnItems({ bound }: { bound: ReadonlySet<string> }) {
  const choices = useColumnChoices([...bound]);
  if (choices.length === 0)
    return (
      <MenuItem onChoose={() => useEditor.getState().showPanel('data')}>
        Add a rows file to choose from its columns
      </MenuItem>
    );
  return choices.map(({ key, words }) => (
    <MenuItem
      key={key}
      {...(bound.has(key) ? { icon: <Check {...icon} /> } : {})}
      onChoose={() => bindSelected(key)}
    >
      {words}
    </MenuItem>
  ));
}
