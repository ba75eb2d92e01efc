import {
  Barcode,
  CalendarDays,
  CheckSquare,
  CircleHelp,
  Hand,
  ImageIcon,
  MousePointer2,
  PanelLeft,
  PanelRight,
  QrCode,
  Signature,
  StickyNote,
  Type,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { KINDS } from '../../core/overlays/overlay-kinds.ts';
import { buttonsOf, moveByKey } from '../../ui/arrow-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { type Tool, useCanvas } from '../canvas-store.ts';
import { chooseTool } from '../commands/place.ts';
import { TOOL_KEYS } from '../commands/shortcuts.ts';
import { ArrangeMenus } from './arrange-menus.tsx';
import styles from './toolbar.module.css';
import { ZoomControls } from './zoom-controls.tsx';

const ICONS: Readonly<Record<Tool, ReactNode>> = {
  select: <MousePointer2 size={16} />,
  pan: <Hand size={16} />,
  text: <Type size={16} />,
  date: <CalendarDays size={16} />,
  qr: <QrCode size={16} />,
  barcode: <Barcode size={16} />,
  image: <ImageIcon size={16} />,
  check: <CheckSquare size={16} />,
  signature: <Signature size={16} />,
  sticker: <StickyNote size={16} />,
};
const VIEW_TOOLS = ['select', 'pan'] as const;
const FIELD_TOOLS = ['text', 'date', 'check', 'qr', 'barcode', 'image', 'signature', 'sticker'] as const;

/** One stop for Tab, as in every toolbar: arrow keys go on from where the keyboard was last. */
function keepOneStop(bar: Element, wanted?: Element): void {
  const buttons = buttonsOf(bar);
  const found = buttons.find((button) => button === wanted) ?? buttons.find(({ tabIndex }) => tabIndex === 0);
  for (const button of buttons) button.tabIndex = button === (found ?? buttons[0]) ? 0 : -1;
}

export function Toolbar() {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = bar.current;
    if (box === null) return;
    for (const button of buttonsOf(box).slice(1)) button.tabIndex = -1;
    // Another width shows other buttons, and the one that Tab stops at may be gone.
    const watch = new ResizeObserver(() => keepOneStop(box));
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Tools"
      className={styles.bar}
      onFocus={({ target }) => bar.current && keepOneStop(bar.current, target)}
      onKeyDown={(event) => moveByKey(event, 'across')}
    >
      <PanelButton side="left" label="Fields and data">
        <PanelLeft size={16} />
      </PanelButton>
      <p className={styles.small}>Placing fields needs a wider window.</p>
      <div className={styles.tools}>
        {VIEW_TOOLS.map((tool) => (
          <ToolButton key={tool} tool={tool} label={tool === 'select' ? 'Select' : 'Pan'} />
        ))}
        <span className={styles.divider} />
        {FIELD_TOOLS.map((tool) => (
          <ToolButton key={tool} tool={tool} label={KINDS[tool].name} />
        ))}
        <span className={styles.divider} />
        <ArrangeMenus />
      </div>
      <span className={styles.space} />
      <ZoomControls />
      <IconButton
        label="Shortcuts"
        shortcut="?"
        className={styles.help}
        onClick={() => useCanvas.setState({ sheetOpen: true })}
      >
        <CircleHelp size={16} />
      </IconButton>
      <PanelButton side="right" label="Properties">
        <PanelRight size={16} />
      </PanelButton>
    </div>
  );
}

/** In a narrow window the side panels are closed until they are asked for. */
function PanelButton({
  side,
  label,
  children,
}: {
  side: 'left' | 'right';
  label: string;
  children: ReactNode;
}) {
  const open = useCanvas((canvas) => canvas.sidePanel === side);
  return (
    <IconButton
      label={label}
      className={styles.panelButton}
      pressed={open}
      onClick={() => useCanvas.setState({ sidePanel: open ? null : side })}
    >
      {children}
    </IconButton>
  );
}

function ToolButton({ tool, label }: { tool: Tool; label: string }) {
  const pressed = useCanvas((canvas) => canvas.tool === tool);
  return (
    <IconButton
      label={label}
      shortcut={TOOL_KEYS[tool]}
      aria-keyshortcuts={TOOL_KEYS[tool]}
      pressed={pressed}
      onClick={() => chooseTool(tool)}
    >
      {ICONS[tool]}
    </IconButton>
  );
}
