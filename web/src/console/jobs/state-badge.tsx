import { Badge } from '../../ui/badge.tsx';
import { type Job, stateLabel } from './job.ts';

export function StateBadge({ job }: { job: Pick<Job, 'state' | 'cancelled'> }) {
  const { name, tone } = stateLabel(job);
  return <Badge tone={tone}>{name}</Badge>;
}
