import { Download } from 'lucide-react';
import type { JobDetail } from '#console/contract/jobs.ts';
import { addressOf } from '../../shell/base-path.ts';
import { formatBytes } from '../parts/format.ts';
import { Card, Section } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import styles from './job-artifact.module.css';

/** The artifact of the job. The browser opens the download itself, so the account is in the query. */
export function JobArtifact({ job: { artifact, account } }: { job: JobDetail }) {
  if (artifact === null) return null;
  return (
    <Section title="Artifact">
      <Card>
        <div className={styles.row}>
          <span>
            <strong>{formatBytes(artifact.size_bytes)}</strong> <code>{artifact.media_type}</code>
            <span className={styles.note}>
              {artifact.available ? 'Ready. The download expires ' : 'The download expired '}
              <Time at={artifact.expires_at} />
              {artifact.available ? '.' : '; the job itself stays on record.'}
            </span>
          </span>
          {artifact.download_path !== null && (
            <a
              className={styles.download}
              href={`${addressOf(artifact.download_path)}?${new URLSearchParams({ account })}`}
              download
            >
              <Download size={15} aria-hidden="true" />
              Download
            </a>
          )}
        </div>
      </Card>
    </Section>
  );
}
