import { ChevronRight } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Point } from '../../core/geometry/rect.ts';
import { buttonsOf, moveByKey } from '../../ui/arrow-keys.ts';
import styles from './toolbar.module.css';

/** As in the style sheet. */
const WIDEST = 320;

/**
 * A button with a native popover below it: Escape and a click outside close it and restore the focus. Arrow keys move
 * through its items.
 */
export function Menu({
  label,
  icon,
  name,
  resting = false,
  children,
}: {
  label: string;
  icon: ReactNode;
  /** The visible name below the icon; it must be a part of `label`. */
  name?: string;
  /** The action has nothing to apply to. */
  resting?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState !== 'open' || button.current === null) return;
    const { left, bottom } = button.current.getBoundingClientRect();
    event.currentTarget.style.left = `${Math.min(left, window.innerWidth - WIDEST - 8)}px`;
    event.currentTarget.style.top = `${bottom + 4}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={resting ? undefined : id}
        aria-disabled={resting || undefined}
        className={name === undefined ? styles.menuButton : `${styles.menuButton} ${styles.named}`}
        title={label}
        aria-label={label}
      >
        {icon}
        {name !== undefined && <span className={styles.toolName}>{name}</span>}
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

/**
 * A menu at a point of the window, open as long as it is rendered. Its popover is manual: an automatic one would be closed by
 * the release of the button that opened it. `onClose` is called with the element to focus again, if there is one.
 */
export function MenuAt({
  label,
  at,
  onClose,
  children,
}: {
  label: string;
  at: Point;
  onClose: () => void;
  children: ReactNode;
}) {
  const list = useRef<HTMLFieldSetElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const before = document.activeElement;
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(at.x, window.innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(at.y, window.innerHeight - height - 8))}px`;
    buttonsOf(element)[0]?.focus();
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.contains(target)) close.current();
    };
    const leave = () => close.current();
    window.addEventListener('pointerdown', press, true);
    window.addEventListener('resize', leave);
    return () => {
      window.removeEventListener('pointerdown', press, true);
      window.removeEventListener('resize', leave);
      // An action may have moved the focus already; otherwise it would be lost with the menu.
      const isLost = document.activeElement === document.body || element.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [at]);
  return (
    <fieldset
      ref={list}
      popover="manual"
      aria-label={label}
      className={styles.menu}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault();
          onClose();
        } else moveByKey(event, 'down');
      }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('[data-action]') !== null) onClose();
      }}
    >
      {children}
    </fieldset>
  );
}

/** An item that opens a further list beside it: by pointer, Enter or the right arrow. The left arrow closes it. */
export function SubMenu({
  icon,
  label,
  disabled = false,
  children,
}: {
  icon?: ReactNode;
  label: string;
  disabled?: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState<'pointer' | 'keyboard' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const [element, opener] = [list.current, button.current];
    if (open === null || element === null || opener === null) return;
    element.showPopover();
    const around = opener.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const fits = around.right + width + 4 < window.innerWidth;
    element.style.left = `${fits ? around.right : Math.max(8, around.left - width)}px`;
    element.style.top = `${Math.max(8, Math.min(around.top - 5, window.innerHeight - height - 8))}px`;
    if (open === 'keyboard') buttonsOf(element)[0]?.focus();
    // Pointing at another item of the outer list closes this one.
    const outer = opener.closest('[popover]');
    const elsewhere = ({ target }: Event) => {
      const item = target instanceof Element ? target.closest('button') : null;
      if (item !== null && item !== opener && !element.contains(item)) setOpen(null);
    };
    outer?.addEventListener('pointerover', elsewhere);
    return () => outer?.removeEventListener('pointerover', elsewhere);
  }, [open]);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'ArrowLeft' || event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      setOpen(null);
      button.current?.focus();
    } else if (event.key !== 'Tab') {
      event.stopPropagation();
      moveByKey(event, 'down');
    }
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        disabled={disabled}
        className={styles.menuItem}
        aria-expanded={open !== null}
        onPointerEnter={({ pointerType }) => pointerType === 'mouse' && !disabled && setOpen('pointer')}
        onClick={(event) => setOpen(event.detail === 0 ? 'keyboard' : 'pointer')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowRight') return;
          event.preventDefault();
          setOpen('keyboard');
        }}
      >
        {icon}
        <span>{label}</span>
        <ChevronRight size={14} aria-hidden="true" />
      </button>
      {open !== null && (
        <fieldset ref={list} popover="manual" aria-label={label} className={styles.menu} onKeyDown={onKey}>
          {children}
        </fieldset>
      )}
    </>
  );
}

export function MenuItem({
  icon,
  shortcut,
  disabled = false,
  checked,
  onChoose,
  children,
}: {
  icon?: ReactNode;
  shortcut?: string;
  disabled?: boolean;
  /** For an item that switches something on or off. */
  checked?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      disabled={disabled}
      data-action=""
      aria-pressed={checked}
      className={styles.menuItem}
      onClick={(event) => {
        event.currentTarget.closest<HTMLElement>('[popover="auto"]')?.hidePopover();
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
