import type { Health } from '#console/contract/health.ts';
import { expiryNotice } from '../keys/expiring-key.ts';
import { formatAgo, formatCount, formatDuration } from '../parts/format.ts';
import { surfaceName } from '../parts/surfaces.ts';

/** One sentence about the state of the installation, and where to see more. */
export interface Finding {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly title: string;
  readonly advice?: string;
  readonly link?: { readonly to: string; readonly words: string };
}

const LOW_DISK = 0.1;
/** A queue entry usually starts within a second; a job waits longer if its account has many. */
const OLD_WORK_SECONDS = 60;
const OLD_JOB_SECONDS = 300;
/** The server stops counting here. */
const COUNT_CAP = 1000;

/** The problems, the most severe first; a good finding if there is none. */
export function findingsOf(health: Health, now: Date): readonly Finding[] {
  const found = [
    ...health.outages.map((outage) => aboutOutage(outage, now)),
    aboutReplication(health),
    aboutReadReplica(health),
    aboutDisk(health),
    ...health.nodes.map(aboutNode).filter((finding) => finding !== undefined),
    aboutGivenUp(health, now),
    aboutWaiting(health),
    aboutFailing(health, now),
    ...health.failed_jobs.filter(({ is_frequent }) => is_frequent).map(aboutFailedJobs),
    aboutBackground(health),
    aboutKeys(health),
  ].filter((finding) => finding !== undefined);
  return found.length === 0 ? [{ tone: 'good', title: 'No problems found' }] : found;
}

function aboutOutage({ service, since }: Health['outages'][number], now: Date): Finding {
  const name = service === 'blobs' ? 'blob store' : service;
  return {
    tone: 'bad',
    title: `The ${name} is unavailable`,
    advice: `It stopped responding ${formatAgo(new Date(since), now)}. Workers wait and resume on their own; no job fails because of it.`,
  };
}

function aboutNode({ name, is_missing, problems }: Health['nodes'][number]): Finding | undefined {
  if (is_missing)
    return {
      tone: 'warn',
      title: `The node ${name} does not report`,
      advice: 'Check that its process runs and reaches the database. The entry disappears after an hour.',
    };
  if (problems.length === 0) return undefined;
  return { tone: 'warn', title: `The node ${name} is not ready`, advice: `${problems.join('; ')}.` };
}

/** A commit that waits keeps its request waiting; a standby that is behind loses work when it is promoted. */
function aboutReplication({ replication }: Health): Finding | undefined {
  if (replication.waits)
    return {
      tone: 'bad',
      title: 'The synchronous standby of the database is not connected',
      advice: 'PostgreSQL confirms no writes until it is back. Start the standby.',
    };
  if (replication.mode !== 'asynchronous') return undefined;
  return {
    tone: 'warn',
    title: 'Commits do not wait for the standby of the database',
    advice:
      'If the standby is promoted, it can lack acknowledged work. Set synchronous_standby_names in PostgreSQL.',
  };
}

/** `synchronous, 1 standby`. */
export const replicationText = ({ mode, standbys }: Health['replication']): string =>
  mode === 'none' ? 'None' : `${mode}, ${formatCount(standbys)} ${standbys === 1 ? 'standby' : 'standbys'}`;

const READ_REPLICA: Readonly<Record<Health['read_replica'], string>> = {
  none: 'None',
  used: 'In use',
  behind: 'Behind the primary',
  unavailable: 'Unavailable',
  unrelated: 'Not a standby of the primary',
};

export const readReplicaText = ({ read_replica: state }: Pick<Health, 'read_replica'>): string =>
  READ_REPLICA[state];

function aboutReadReplica({ read_replica: state }: Health): Finding | undefined {
  if (state === 'none' || state === 'used') return undefined;
  const titles = {
    behind: 'The read replica is behind the primary',
    unavailable: 'The read replica is unavailable',
    unrelated: 'The read replica is not a standby of the primary',
  };
  const advice =
    state === 'unrelated'
      ? 'The primary answers lists meanwhile. Check DATABASE_READ_URL; after a failover, the replica is used again within minutes.'
      : 'The primary answers lists meanwhile. Check the server of DATABASE_READ_URL.';
  return { tone: 'warn', title: titles[state], advice };
}

function aboutDisk({ disk }: Health): Finding | undefined {
  const { free_bytes: free, total_bytes: total, floor_bytes: floor } = disk;
  if (free !== null && free < floor)
    return {
      tone: 'bad',
      title: 'The disk is full',
      advice:
        'The server rejects new work until there is free space. Free up space, or move the data directory.',
    };
  if (free === null || total === null || total <= 0 || free / total >= LOW_DISK) return undefined;
  return {
    tone: 'bad',
    title: 'The disk is nearly full',
    advice: 'The server rejects new work when the disk is full. Free up space, or move the data directory.',
  };
}

/** The event is lost for the receiver until somebody sends it again, so this is worse than a failing delivery. */
function aboutGivenUp({ webhooks }: Health, now: Date): Finding | undefined {
  const { given_up: count, last_given_up_at: last } = webhooks;
  if (count === 0) return undefined;
  return {
    tone: 'bad',
    title: `${manyOf(count, 'webhook delivery was', 'webhook deliveries were')} given up in the last 24 hours`,
    advice: `${last === null ? '' : `The last one was given up ${formatAgo(new Date(last), now)}. `}Fix the receiver, then redeliver the events.`,
    link: { to: '/console/deliveries?state=exhausted', words: 'Show given-up deliveries' },
  };
}

function aboutFailing({ webhooks }: Health, now: Date): Finding | undefined {
  const { failing, failing_since: since } = webhooks;
  if (failing === 0) return undefined;
  const longest = since === null ? undefined : formatDuration(now.getTime() - Date.parse(since));
  return {
    tone: 'warn',
    title: `${manyOf(failing, 'webhook delivery is', 'webhook deliveries are')} failing`,
    advice: `The server retries automatically.${longest === undefined ? '' : ` The oldest has been failing for ${longest}.`}`,
    link: { to: '/console/deliveries?state=failing', words: 'Show failing deliveries' },
  };
}

function aboutWaiting({ queues, waiting_jobs: jobs }: Health): Finding | undefined {
  const late = queues.find(({ oldest_seconds }) => oldest_seconds > OLD_WORK_SECONDS);
  if (late === undefined && jobs.oldest_seconds <= OLD_JOB_SECONDS) return undefined;
  const advice = 'Check that a worker is running, or add workers (ROWPRESS_WORKERS) or another node.';
  if (jobs.count === 0 && late !== undefined)
    return {
      tone: 'warn',
      title: `Work has been waiting in the queue “${late.name}” for ${formatDuration(late.oldest_seconds * 1000)}`,
      advice,
    };
  return {
    tone: 'warn',
    title: `${manyOf(jobs.count, 'job is', 'jobs are')} waiting, the oldest for ${formatDuration(jobs.oldest_seconds * 1000)}`,
    advice,
    link: { to: '/console/jobs?state=queued', words: 'Show queued jobs' },
  };
}

type FailedJobs = Health['failed_jobs'][number];

function aboutFailedJobs({ surface, failed, recent, codes }: FailedJobs): Finding {
  const share = Math.round((recent.failed / Math.max(1, recent.settled)) * 100);
  const [most] = codes;
  return {
    tone: 'warn',
    title: `${manyOf(failed, `${surfaceName(surface)} job`)} failed in the last 24 hours`,
    advice: `That is ${share} % of the jobs that finished.${most === undefined ? '' : ` The most frequent error is ${most.code}.`}`,
    link: { to: failedJobsPath(surface), words: 'Show failed jobs' },
  };
}

/** The failed jobs of a surface, all or those with one code. */
export const failedJobsPath = (surface: string, code?: string): string =>
  `/console/jobs?${new URLSearchParams({ state: 'failed', surface, ...(code !== undefined && { q: code }) })}`;

function aboutBackground({ background_errors: errors }: Health): Finding | undefined {
  if (errors.length === 0) return undefined;
  return {
    tone: 'warn',
    title: 'Background work failed in the last hour',
    advice: 'The server retries it. See the list below for details.',
  };
}

function aboutKeys({ expiring_keys: keys }: Health): Finding | undefined {
  const notice = expiryNotice(keys);
  if (notice === undefined) return undefined;
  return {
    tone: 'warn',
    title: notice,
    advice: 'Rotate them before programs stop working.',
    link: { to: '/console/keys', words: 'Show keys' },
  };
}

/** `7`, `1,000+`. */
export const formatCapped = (count: number): string =>
  count >= COUNT_CAP ? `${formatCount(COUNT_CAP)}+` : formatCount(count);

/** `1 job`, `2 jobs`, `1,000+ jobs`. */
const manyOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCapped(count)} ${count === 1 ? one : many}`;

/** How far the clock of a machine is ahead of the database's. */
export function formatSkew(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const size = Math.abs(ms);
  return size < 1000 ? `${sign}${Math.round(size)} ms` : `${sign}${(size / 1000).toFixed(1)} s`;
}

/** The active layers by name, and after them the missing ones. */
export function sandboxText(layers: Health['sandbox']): string {
  const names = (active: boolean) =>
    Object.entries(layers)
      .filter(([, on]) => on === active)
      .map(([name]) => name.replaceAll('_', ' '))
      .join(', ');
  if (names(true) === '') return "Only Node's permission model";
  return names(false) === '' ? names(true) : `${names(true)} (without ${names(false)})`;
}
