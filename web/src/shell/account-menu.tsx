import { CircleUserRound, LogOut } from 'lucide-react';
import { useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import styles from './account-menu.module.css';
import { Link } from './link.tsx';
import { go } from './router.ts';
import { useSession } from './session.ts';

/** The signed-in operator and the sign-out button, in a popover. Escape, a click outside and leaving it by Tab close it. */
export function AccountMenu() {
  const { status, operator, role, signOut } = useSession();
  const id = useId();
  const box = useRef<HTMLElement>(null);
  if (status === 'unknown') return null;
  if (status === 'out' || operator === null)
    return (
      <Link to="/sign-in" className={styles.signIn}>
        Sign in
      </Link>
    );
  const close = () => box.current?.hidePopover();
  const leave = () => {
    close();
    signOut().then(() => go('/'), tellError);
  };
  return (
    <>
      <button
        type="button"
        className={styles.button}
        popoverTarget={id}
        aria-label={`Signed in as ${operator.name}`}
      >
        <CircleUserRound size={18} />
      </button>
      <section
        id={id}
        ref={box}
        popover="auto"
        aria-label="Your session"
        className={styles.menu}
        onBlur={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) close();
        }}
      >
        <p className={styles.who}>
          Signed in as <strong>{operator.name}</strong> ({role})
        </p>
        <Link to="/console/operators" className={styles.item} onClick={close}>
          People and sessions
        </Link>
        <Button look="quiet" icon={<LogOut size={15} />} className={styles.item} onClick={leave}>
          Sign out
        </Button>
      </section>
    </>
  );
}
