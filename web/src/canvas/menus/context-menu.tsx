import { useCanvas } from '../canvas-store.ts';
import { MenuAt } from '../toolbar/menu.tsx';
import { FieldItems } from './field-items.tsx';
import { closeMenu } from './menu-target.ts';
import { PageItems, StripItems } from './page-items.tsx';

/** The open context menu. */
export function ContextMenu() {
  const menu = useCanvas((canvas) => canvas.menu);
  if (menu === null) return null;
  const { at, target } = menu;
  const label = { fields: 'Field', page: 'Page', strip: 'Page' }[target.of];
  return (
    <MenuAt key={`${at.x} ${at.y}`} label={label} at={at} onClose={closeMenu}>
      {target.of === 'fields' && <FieldItems />}
      {target.of === 'page' && <PageItems page={target.page} point={target.point} />}
      {target.of === 'strip' && <StripItems page={target.page} />}
    </MenuAt>
  );
}
