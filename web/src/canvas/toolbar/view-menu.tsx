import { Ruler } from 'lucide-react';
import { useWork } from '../../project/work-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { addGuide, removeAllGuides, toggleRulers } from '../commands/guides.ts';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import { shownKeys } from './shown-keys.ts';

/** What is shown beside the pages and their fields. */
export function ViewMenu() {
  const rulers = useCanvas((canvas) => canvas.rulers);
  const count = useWork((work) => work.guides.length);
  return (
    <Menu label="View" name="View" icon={<Ruler size={16} aria-hidden="true" />}>
      <MenuItem checked={rulers} shortcut={shownKeys('Shift+R')} onChoose={toggleRulers}>
        Rulers and guides
      </MenuItem>
      <MenuLine />
      <MenuItem onChoose={() => addGuide('x')}>Add a vertical guide</MenuItem>
      <MenuItem onChoose={() => addGuide('y')}>Add a horizontal guide</MenuItem>
      <MenuItem disabled={count === 0} onChoose={removeAllGuides}>
        Remove all guides
      </MenuItem>
    </Menu>
  );
}
