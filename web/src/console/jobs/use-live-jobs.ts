import { useEffect, useRef, useState } from 'react';
import type { Job } from '#console/contract/jobs.ts';
import { type Line, watchJobs } from './watch-jobs.ts';

/** Calls `onJob` for every change of an open job while the screen is mounted. */
export function useLiveJobs(onJob: (job: Job) => void): Line {
  const [line, setLine] = useState<Line>('connecting');
  const newest = useRef(onJob);
  newest.current = onJob;
  useEffect(() => watchJobs((job) => newest.current(job), setLine), []);
  return line;
}
