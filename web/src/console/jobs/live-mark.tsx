import styles from './live-mark.module.css';
import type { Line } from './watch-jobs.ts';

const WORDS: Readonly<Record<Line, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Reconnecting…',
};

export function LiveMark({ line }: { line: Line }) {
  return (
    <span className={`${styles.mark} ${styles[line]}`}>
      <span className={styles.dot} aria-hidden="true" />
      {WORDS[line]}
    </span>
  );
}
