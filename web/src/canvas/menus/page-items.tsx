import { ClipboardPaste, Maximize, SquareDashedMousePointer } from 'lucide-react';
import type { Point } from '../../core/geometry/rect.ts';
import { overlaysOn } from '../../core/overlays/find-overlays.ts';
import { useEditor } from '../../editor/editor-store.ts';
import { useCanvas } from '../canvas-store.ts';
import { pasteCopied, selectAllOnPage } from '../commands/copies.ts';
import { goToPage } from '../commands/go-to-overlay.ts';
import { addGuide } from '../commands/guides.ts';
import { MenuItem, MenuLine } from '../toolbar/menu.tsx';
import { shownKeys } from '../toolbar/shown-keys.ts';
import { zoomToFit } from '../viewport.ts';

const icon = { size: 16, 'aria-hidden': true } as const;

/** What can be done at a place of a page. */
export function PageItems({ page, point }: { page: number; point: Point | null }) {
  const placed = point === null ? undefined : { page, point };
  return (
    <>
      <SharedItems page={page} point={point} />
      <MenuLine />
      <MenuItem onChoose={() => addGuide('x', placed)}>
        Add a vertical guide{point === null ? '' : ' here'}
      </MenuItem>
      <MenuItem onChoose={() => addGuide('y', placed)}>
        Add a horizontal guide{point === null ? '' : ' here'}
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Maximize {...icon} />}
        shortcut={shownKeys('Shift+1')}
        onChoose={() => {
          goToPage(page);
          zoomToFit('page');
        }}
      >
        Fit the page
      </MenuItem>
    </>
  );
}

/** What can be done with an entry of the page strip. */
export function StripItems({ page }: { page: number }) {
  return (
    <>
      <MenuItem onChoose={() => goToPage(page)}>Go to page {page}</MenuItem>
      <MenuLine />
      <SharedItems page={page} point={null} />
    </>
  );
}

function SharedItems({ page, point }: { page: number; point: Point | null }) {
  const copied = useCanvas((canvas) => canvas.copied.length);
  const layout = useEditor((editor) => editor.project?.layout);
  const count = layout === undefined ? 0 : overlaysOn(layout, page).length;
  return (
    <>
      <MenuItem
        icon={<ClipboardPaste {...icon} />}
        shortcut={shownKeys('Mod+V')}
        disabled={copied === 0}
        onChoose={() => pasteCopied({ page, point })}
      >
        {point === null ? `Paste on page ${page}` : 'Paste here'}
      </MenuItem>
      <MenuItem
        icon={<SquareDashedMousePointer {...icon} />}
        shortcut={shownKeys('Mod+A')}
        disabled={count === 0}
        onChoose={() => selectAllOnPage(page)}
      >
        Select all on page {page}
      </MenuItem>
    </>
  );
}
