import { toCamel } from './camel-case.ts';
import type { Call, Transport } from './transport.ts';

interface Page {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
  readonly pagination?: { readonly next_cursor: string | null };
}

/** Iterates over all pages of a list. Subscribers name the cursor `starting_after`, the other surfaces `cursor`. */
export async function* listAll<T>(
  transport: Transport,
  call: Omit<Call, 'method'>,
): AsyncGenerator<T, void, void> {
  const name = call.surface === 'subscribers' ? 'starting_after' : 'cursor';
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await transport.send({
      ...call,
      method: 'GET',
      query: { ...call.query, ...(cursor && { [name]: cursor }) },
    });
    const page = body as Page;
    for (const element of page.data) yield toCamel<T>(element);
    cursor = page.next_cursor ?? page.pagination?.next_cursor ?? null;
  }
}
