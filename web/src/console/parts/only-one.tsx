import { Link } from '../../shell/link.tsx';
import styles from './only-one.module.css';

/** Says that a list shows one entry only, which a link has chosen, and leads back to the whole list. */
export function OnlyOne({ what, all, to }: { what: string; all: string; to: string }) {
  return (
    <p className={styles.note}>
      Showing one {what}. <Link to={to}>{all}</Link>
    </p>
  );
}
