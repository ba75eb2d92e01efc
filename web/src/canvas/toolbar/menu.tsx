import { type ReactNode, type ToggleEvent, useId, useRef } from 'react';
import { buttonsOf, moveByKey } from '../../ui/arrow-keys.ts';
import styles from './toolbar.module.css';

/**
 * A button with a native popover below it: Escape and a click outside close it and restore the focus. Arrow keys move
 * through its items.
 */
export function Menu({
  label,
  icon,
  resting = false,
  children,
}: {
  label: string;
  icon: ReactNode;
  /** The action has nothing to apply to. */
  resting?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState !== 'open' || button.current === null) return;
    const { left, bottom } = button.current.getBoundingClientRect();
    event.currentTarget.style.left = `${Math.min(left, window.innerWidth - 248)}px`;
    event.currentTarget.style.top = `${bottom + 4}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={resting ? undefined : id}
        aria-disabled={resting || undefined}
        className={styles.menuButton}
        title={label}
        aria-label={label}
      >
        {icon}
      </button>
      <fieldset
        id={id}
        popover="auto"
        aria-label={label}
        className={styles.menu}
        onBeforeToggle={place}
        onToggle={(event) => event.newState === 'open' && buttonsOf(event.currentTarget)[0]?.focus()}
        onKeyDown={(event) => {
          // The surrounding toolbar also handles arrow keys.
          event.stopPropagation();
          moveByKey(event, 'down');
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
        }}
      >
        {children}
      </fieldset>
    </>
  );
}

export function MenuItem({
  icon,
  shortcut,
  disabled = false,
  onChoose,
  children,
}: {
  icon?: ReactNode;
  shortcut?: string;
  disabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      className={styles.menuItem}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onChoose();
      }}
    >
      {icon}
      <span>{children}</span>
      {shortcut !== undefined && <kbd>{shortcut}</kbd>}
    </button>
  );
}

export const MenuLine = () => <hr className={styles.menuLine} />;
