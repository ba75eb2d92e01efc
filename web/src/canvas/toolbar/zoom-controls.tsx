import { ChevronDown, Minus, Plus } from 'lucide-react';
import { FULL_SIZE, percentOf, stepScale } from '../../core/pages/zoom.ts';
import { IconButton } from '../../ui/button.tsx';
import { useCanvas } from '../canvas-store.ts';
import { zoomTo, zoomToFit } from '../viewport.ts';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import { shownKeys } from './shown-keys.ts';
import styles from './toolbar.module.css';

const STOPS = [50, 100, 150, 200, 400];

export function ZoomControls() {
  const scale = useCanvas((canvas) => canvas.scale);
  return (
    <div className={styles.group}>
      <IconButton label="Zoom out" shortcut={shownKeys('Mod+-')} onClick={() => zoomTo(stepScale(scale, -1))}>
        <Minus size={16} />
      </IconButton>
      <Menu
        label={`Zoom ${percentOf(scale)} %`}
        icon={
          <>
            <span className={styles.percent}>{percentOf(scale)} %</span>
            <ChevronDown size={12} aria-hidden="true" />
          </>
        }
      >
        <MenuItem shortcut={shownKeys('Shift+1')} onChoose={() => zoomToFit('page')}>
          Fit the page
        </MenuItem>
        <MenuItem shortcut={shownKeys('Shift+2')} onChoose={() => zoomToFit('width')}>
          Fit the width
        </MenuItem>
        <MenuLine />
        {STOPS.map((percent) => (
          <MenuItem
            key={percent}
            {...(percent === 100 ? { shortcut: shownKeys('Mod+0') } : {})}
            onChoose={() => zoomTo((percent / 100) * FULL_SIZE)}
          >
            {percent} %
          </MenuItem>
        ))}
      </Menu>
      <IconButton label="Zoom in" shortcut={shownKeys('Mod+=')} onClick={() => zoomTo(stepScale(scale, 1))}>
        <Plus size={16} />
      </IconButton>
    </div>
  );
}
