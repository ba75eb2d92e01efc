import type { Job } from '#console/contract/jobs.ts';
import { Badge } from '../../ui/badge.tsx';
import { stateLabel } from './job.ts';

export function StateBadge({ job }: { job: Pick<Job, 'state' | 'cancelled'> }) {
  const { name, tone } = stateLabel(job);
  return <Badge tone={tone}>{name}</Badge>;
}
