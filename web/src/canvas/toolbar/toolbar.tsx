import { CircleHelp, Hand, MousePointer2, PanelLeft, PanelRight, ScanSearch } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { startDetection, useIsFlat } from '../../detect/detect-section.tsx';
import { OVERLAY_TYPES, TOOLS } from '../../kinds/tools.ts';
import { viewOf } from '../../kinds/views.tsx';
import { buttonsOf, moveByKey } from '../../ui/arrow-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { type Tool, useCanvas } from '../canvas-store.ts';
import { chooseTool } from '../commands/place.ts';
import { TOOL_KEYS } from '../commands/shortcuts.ts';
import { ArrangeMenus } from './arrange-menus.tsx';
import styles from './toolbar.module.css';
import { ViewMenu } from './view-menu.tsx';
import { ZoomControls } from './zoom-controls.tsx';

const VIEW_TOOLS = [
  { tool: 'select', label: 'Select', Icon: MousePointer2 },
  { tool: 'pan', label: 'Pan', Icon: Hand },
] as const;

/** One tab stop for the whole toolbar; arrow keys continue from the button that last had the focus. */
function keepOneStop(bar: Element, wanted?: Element): void {
  const buttons = buttonsOf(bar);
  const found = buttons.find((button) => button === wanted) ?? buttons.find(({ tabIndex }) => tabIndex === 0);
  for (const button of buttons) button.tabIndex = button === (found ?? buttons[0]) ? 0 : -1;
}

export function Toolbar() {
  const bar = useRef<HTMLDivElement>(null);
  const isFlat = useIsFlat();
  useEffect(() => {
    const box = bar.current;
    if (box === null) return;
    for (const button of buttonsOf(box).slice(1)) button.tabIndex = -1;
    // A different width shows different buttons, so the tab stop may have to move.
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
        {VIEW_TOOLS.map(({ tool, label, Icon }) => (
          <ToolButton key={tool} tool={tool} label={label}>
            <Icon size={16} />
          </ToolButton>
        ))}
        <span className={styles.divider} />
        {OVERLAY_TYPES.map((type) => {
          const { Icon } = viewOf({ type });
          return (
            <ToolButton key={type} tool={type} label={TOOLS[type].name}>
              <Icon size={16} />
            </ToolButton>
          );
        })}
        {isFlat && (
          <IconButton label="Find fields" className={styles.named} onClick={() => startDetection()}>
            <ScanSearch size={16} />
            <span className={styles.toolName}>Find fields</span>
          </IconButton>
        )}
        <span className={styles.divider} />
        <ArrangeMenus />
        <ViewMenu />
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

/** Opens or closes a side panel, in a narrow window where the panels start closed. */
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

function ToolButton({ tool, label, children }: { tool: Tool; label: string; children: ReactNode }) {
  const pressed = useCanvas((canvas) => canvas.tool === tool);
  return (
    <IconButton
      label={label}
      shortcut={TOOL_KEYS[tool]}
      aria-keyshortcuts={TOOL_KEYS[tool]}
      pressed={pressed}
      className={styles.named}
      onClick={() => chooseTool(tool)}
    >
      {children}
      <span className={styles.toolName}>{label}</span>
    </IconButton>
  );
}
