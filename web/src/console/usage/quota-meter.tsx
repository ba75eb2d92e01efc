import type { Quota } from '#console/contract/usage.ts';
import { formatCount, formatMany } from '../parts/format.ts';
import { Card, Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import styles from './quota-meter.module.css';

/** The monthly quota: used, reserved for running jobs, and left. */
export function QuotaMeter({ quota }: { quota: Quota }) {
  const { rows_per_month: limit, used, reserved } = quota;
  const taken = used + reserved;
  return (
    <Section title={`This month on the plan “${quota.plan}”`}>
      <Card>
        <div className={styles.meter}>
          <p>
            <strong>{formatCount(used)}</strong>{' '}
            {limit === null ? 'rows used' : `of ${formatMany(limit, 'row')} used`}
            {reserved > 0 && `, ${formatCount(reserved)} held for running jobs`}
          </p>
          {limit === null ? (
            <p className={styles.note}>This plan has no limit.</p>
          ) : (
            <>
              <meter
                aria-label="Rows of this month"
                className={styles.bar}
                min={0}
                max={Math.max(limit, 1)}
                low={limit * 0.8}
                high={limit * 0.95}
                optimum={0}
                value={Math.min(taken, limit)}
              />
              <p className={styles.note}>
                {formatMany(Math.max(0, limit - taken), 'row')} left. It starts over{' '}
                <Time at={quota.resets_at} />.
              </p>
            </>
          )}
        </div>
      </Card>
    </Section>
  );
}
