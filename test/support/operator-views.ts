import type { ConsoleClient, Listed } from './console-client.ts';

export interface JobDetails {
  readonly reused_from: string | null;
  readonly artifact: object | null;
  readonly inputs: readonly { readonly sha256: string; readonly size_bytes: number }[];
  readonly deliveries: readonly DeliveryItem[];
}

export interface DeliveryItem {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
}

/** One job as shown by the operator API: inputs, artifact and webhook deliveries. */
export async function jobDetails(operator: ConsoleClient, jobId: string): Promise<JobDetails> {
  const { status, body } = await operator.get<JobDetails>(`/jobs/${jobId}`);
  if (status !== 200) throw new Error(`job ${jobId}: ${status}`);
  return body;
}

/** The body of a delivered or pending event. */
export async function eventBody(operator: ConsoleClient, deliveryId: string): Promise<unknown> {
  const { body } = await operator.get<{ body: string }>(`/deliveries/${deliveryId}`);
  return JSON.parse(body.body);
}

/** Rows of an account in the current month: billed, and reserved for jobs that have not settled. */
export async function quotaOf(
  operator: ConsoleClient,
  account: string,
): Promise<{ used: number; reserved: number }> {
  const { body } = await operator.get<{ quota: { used: number; reserved: number } }>(
    `/usage?account=${encodeURIComponent(account)}`,
  );
  return { used: body.quota.used, reserved: body.quota.reserved };
}

/** Every item of a list, page by page. */
export async function listAll<T>(operator: ConsoleClient, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, body } = await operator.get<Listed<T>>(path + query);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    items.push(...body.items);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return items;
}

/** Totals of an account: jobs, webhook deliveries, and rows billed or reserved this month. */
export async function totalsOf(operator: ConsoleClient, account: string): Promise<object> {
  const [jobs, deliveries, quota] = await Promise.all([
    listAll(operator, `/jobs?account=${encodeURIComponent(account)}`),
    listAll(operator, `/deliveries?account=${encodeURIComponent(account)}`),
    quotaOf(operator, account),
  ]);
  return { jobs: jobs.length, deliveries: deliveries.length, ...quota };
}
