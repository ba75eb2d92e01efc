import type { Health } from '#console/contract/health.ts';
import { Link } from '../../shell/link.tsx';
import { Banner } from '../../ui/badge.tsx';
import { useNow } from '../parts/time.tsx';
import styles from './findings.module.css';
import { findingsOf } from './health.ts';

/** One banner per problem, the most severe first. */
export function Findings({ of }: { of: Health }) {
  const now = useNow();
  return (
    <div className={styles.findings}>
      {findingsOf(of, now).map(({ tone, title, advice, link }) => (
        <Banner
          key={link?.to ?? title}
          tone={tone}
          title={title}
          action={link && <Link to={link.to}>{link.words}</Link>}
        >
          {advice}
        </Banner>
      ))}
    </div>
  );
}
