import styles from './waiting.module.css';

export function Waiting({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" aria-label={label} className={styles.waiting}>
      <span className={styles.ring} />
    </div>
  );
}
