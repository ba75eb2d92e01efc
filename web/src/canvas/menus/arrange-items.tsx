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
  RectangleHorizontal,
  SendToBack,
  Square,
} from 'lucide-react';
import { alignSelected, distributeSelected, restackSelected, sameSizeSelected } from '../commands/arrange.ts';
import { MenuItem, MenuLine } from '../toolbar/menu.tsx';
import { shownKeys } from '../toolbar/shown-keys.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

/** Items that place several selected fields in relation to each other; one alone is aligned to its page. */
export function AlignItems({ count }: { count: number }) {
  return (
    <>
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
    </>
  );
}

/** Items that change the order in which fields cover each other. */
export function OrderItems({ disabled = false }: { disabled?: boolean }) {
  return (
    <>
      <MenuItem
        icon={<BringToFront {...icon} />}
        shortcut={shownKeys('Shift+]')}
        disabled={disabled}
        onChoose={() => restackSelected('front')}
      >
        Bring to front
      </MenuItem>
      <MenuItem shortcut="]" disabled={disabled} onChoose={() => restackSelected('forward')}>
        Bring forward
      </MenuItem>
      <MenuItem shortcut="[" disabled={disabled} onChoose={() => restackSelected('backward')}>
        Send backward
      </MenuItem>
      <MenuItem
        icon={<SendToBack {...icon} />}
        shortcut={shownKeys('Shift+[')}
        disabled={disabled}
        onChoose={() => restackSelected('back')}
      >
        Send to back
      </MenuItem>
    </>
  );
}
