import {
  AlignStartVertical,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Layers,
  Lock,
  RotateCw,
  Trash2,
} from 'lucide-react';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { rotateSelected } from '../commands/arrange.ts';
import {
  copySelected,
  deleteSelected,
  duplicateSelected,
  pasteCopied,
  toggleLock,
} from '../commands/copies.ts';
import { AlignItems, OrderItems } from '../menus/arrange-items.tsx';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import { shownKeys } from './shown-keys.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

/** The menus of all actions on a selection. */
export function ArrangeMenus() {
  const count = useEditor((editor) => editor.selection.length);
  const copied = useCanvas((canvas) => canvas.copied.length);
  return (
    <>
      <Menu
        label="Align and distribute"
        name="Align"
        icon={<AlignStartVertical {...icon} />}
        resting={count === 0}
      >
        <AlignItems count={count} />
      </Menu>
      <Menu label="Arrange" name="Arrange" icon={<Layers {...icon} />} resting={count === 0 && copied === 0}>
        <MenuItem
          icon={<Copy {...icon} />}
          shortcut={shownKeys('Mod+C')}
          disabled={count === 0}
          onChoose={copySelected}
        >
          Copy
        </MenuItem>
        <MenuItem
          icon={<ClipboardPaste {...icon} />}
          shortcut={shownKeys('Mod+V')}
          disabled={copied === 0}
          onChoose={() => pasteCopied()}
        >
          Paste on this page
        </MenuItem>
        <MenuItem
          icon={<CopyPlus {...icon} />}
          shortcut={shownKeys('Mod+D')}
          disabled={count === 0}
          onChoose={duplicateSelected}
        >
          Duplicate
        </MenuItem>
        <MenuLine />
        <OrderItems disabled={count === 0} />
        <MenuLine />
        <MenuItem icon={<RotateCw {...icon} />} disabled={count === 0} onChoose={() => rotateSelected(90)}>
          Rotate by 90°
        </MenuItem>
        <MenuItem
          icon={<Lock {...icon} />}
          shortcut={shownKeys('Mod+L')}
          disabled={count === 0}
          onChoose={toggleLock}
        >
          Lock or unlock
        </MenuItem>
        <MenuItem
          icon={<Trash2 {...icon} />}
          shortcut="Delete"
          disabled={count === 0}
          onChoose={() => deleteSelected()}
        >
          Delete
        </MenuItem>
      </Menu>
    </>
  );
}
