import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  BringToFront,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Layers,
  Lock,
  RectangleHorizontal,
  RotateCw,
  SendToBack,
  Square,
  Trash2,
} from 'lucide-react';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import {
  alignSelected,
  distributeSelected,
  restackSelected,
  rotateSelected,
  sameSizeSelected,
} from '../commands/arrange.ts';
import {
  copySelected,
  deleteSelected,
  duplicateSelected,
  pasteCopied,
  toggleLock,
} from '../commands/copies.ts';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import { shownKeys } from './shown-keys.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

/** The menus of all actions on a selection. */
export function ArrangeMenus() {
  const count = useEditor((editor) => editor.selection.length);
  const copied = useCanvas((canvas) => canvas.copied.length);
  return (
    <>
      <Menu label="Align and distribute" icon={<AlignStartVertical {...icon} />} resting={count === 0}>
        <MenuItem icon={<AlignStartVertical {...icon} />} onChoose={() => alignSelected('left')}>
          Align left
        </MenuItem>
        <MenuItem icon={<AlignCenterVertical {...icon} />} onChoose={() => alignSelected('centre')}>
          Align centres
        </MenuItem>
        <MenuItem icon={<AlignEndVertical {...icon} />} onChoose={() => alignSelected('right')}>
          Align right
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<AlignStartHorizontal {...icon} />} onChoose={() => alignSelected('top')}>
          Align top
        </MenuItem>
        <MenuItem icon={<AlignCenterHorizontal {...icon} />} onChoose={() => alignSelected('middle')}>
          Align middles
        </MenuItem>
        <MenuItem icon={<AlignEndHorizontal {...icon} />} onChoose={() => alignSelected('bottom')}>
          Align bottom
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon={<AlignHorizontalDistributeCenter {...icon} />}
          disabled={count < 3}
          onChoose={() => distributeSelected('x')}
        >
          Distribute across
        </MenuItem>
        <MenuItem
          icon={<AlignVerticalDistributeCenter {...icon} />}
          disabled={count < 3}
          onChoose={() => distributeSelected('y')}
        >
          Distribute down
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon={<RectangleHorizontal {...icon} />}
          disabled={count < 2}
          onChoose={() => sameSizeSelected('width')}
        >
          Same width
        </MenuItem>
        <MenuItem
          icon={<RectangleHorizontal {...icon} />}
          disabled={count < 2}
          onChoose={() => sameSizeSelected('height')}
        >
          Same height
        </MenuItem>
        <MenuItem icon={<Square {...icon} />} disabled={count < 2} onChoose={() => sameSizeSelected('both')}>
          Same size
        </MenuItem>
      </Menu>
      <Menu label="Arrange" icon={<Layers {...icon} />} resting={count === 0 && copied === 0}>
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
          onChoose={pasteCopied}
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
        <MenuItem
          icon={<BringToFront {...icon} />}
          shortcut={shownKeys('Shift+]')}
          disabled={count === 0}
          onChoose={() => restackSelected('front')}
        >
          Bring to front
        </MenuItem>
        <MenuItem shortcut="]" disabled={count === 0} onChoose={() => restackSelected('forward')}>
          Bring forward
        </MenuItem>
        <MenuItem shortcut="[" disabled={count === 0} onChoose={() => restackSelected('backward')}>
          Send backward
        </MenuItem>
        <MenuItem
          icon={<SendToBack {...icon} />}
          shortcut={shownKeys('Shift+[')}
          disabled={count === 0}
          onChoose={() => restackSelected('back')}
        >
          Send to back
        </MenuItem>
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
