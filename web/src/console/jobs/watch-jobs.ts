import type { Job } from '#console/contract/jobs.ts';
import { operatorUrl } from '../../api/operator-client.ts';
import { useSession } from '../../shell/session.ts';

export type Line = 'connecting' | 'live' | 'lost';

/** Listens to the stream of changed jobs until the returned function is called. The browser reconnects on its own. */
export function watchJobs(onJob: (job: Job) => void, onLine: (line: Line) => void): () => void {
  const source = new EventSource(operatorUrl('/jobs/stream'));
  source.addEventListener('open', () => onLine('live'));
  source.addEventListener('job', (event) => onJob(JSON.parse(event.data) as Job));
  source.addEventListener('error', () => {
    onLine('lost');
    // Rejected, not interrupted: most likely the session has ended.
    if (source.readyState === EventSource.CLOSED)
      useSession
        .getState()
        .refresh()
        .catch(() => {});
  });
  return () => source.close();
}
