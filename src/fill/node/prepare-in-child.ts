import { programOf } from '#lib/built-programs.ts';
import { LARGE_INPUT_BYTES } from '#lib/lower-priority.ts';
import type { FillOptions } from '../fill-options.ts';
import type { FillPlan } from '../fill-plan.ts';
import type { Layout } from '../package/layout-schema.ts';
import type { SourceMetadata } from '../package/source-metadata.ts';
import type { BaseFacts, Prepared } from '../prepare/prepared-base.ts';
import type { Inspected } from '../prepare/read-source-metadata.ts';
import type { Refusal } from '../prepare/refusal.ts';
import { CappedChild, type ChildCaps } from './capped-child.ts';
import { decodeMessage, encodeMessage } from './message.ts';

export type ChildRequest =
  | { readonly kind: 'inspect'; readonly maxPages: number }
  | {
      readonly kind: 'prepare';
      readonly maxPages: number;
      readonly layout: Layout;
      readonly options: FillOptions;
      readonly assetNames: readonly string[];
    };

export interface ParseLimits {
  readonly maxPages: number;
  readonly maxRssBytes: number;
  readonly maxMs: number;
}

export const DEFAULT_PARSE_LIMITS: ParseLimits = { maxPages: 2000, maxRssBytes: 512_000_000, maxMs: 30_000 };

/** A rewritten file is larger than its source (object streams unpacked, fonts added), but not without bound. */
const OUTPUT_FACTOR = 4;
const OUTPUT_ALLOWANCE = 64_000_000;

/** Starts a reader before its request is known. */
export function startReader(limits: ParseLimits = DEFAULT_PARSE_LIMITS): CappedChild {
  return new CappedChild(programOf('src/fill/node/prepare-child.ts'), limits.maxRssBytes);
}

/** Runs `prepareFill` on untrusted bytes. */
export async function prepareInChild(
  source: Uint8Array,
  plan: FillPlan,
  limits: ParseLimits = DEFAULT_PARSE_LIMITS,
  reader = startReader(limits),
  signal?: AbortSignal,
): Promise<Prepared> {
  const assets = [...plan.assets];
  const answer = await ask(
    {
      kind: 'prepare',
      maxPages: limits.maxPages,
      layout: plan.layout,
      options: plan.options,
      assetNames: assets.map(([name]) => name),
    },
    [source, ...assets.map(([, bytes]) => bytes)],
    limits,
    reader,
    signal,
  );
  if (!answer.ok) return answer;
  const { head, blocks } = answer.message;
  const result = head as { ok: true; facts: BaseFacts } | Refusal;
  if (!result.ok) return result;
  const [bytes] = blocks;
  if (bytes === undefined || !isPlausible(bytes, result.facts))
    return invalid('the reader returned an invalid response');
  return { ok: true, base: { bytes, facts: result.facts } };
}

/** Reads the source metadata of untrusted bytes. */
export async function inspectInChild(
  source: Uint8Array,
  limits: ParseLimits = DEFAULT_PARSE_LIMITS,
  reader = startReader(limits),
  signal?: AbortSignal,
): Promise<Inspected> {
  const answer = await ask({ kind: 'inspect', maxPages: limits.maxPages }, [source], limits, reader, signal);
  if (!answer.ok) return answer;
  return answer.message.head as { ok: true; metadata: SourceMetadata } | Refusal;
}

async function ask(
  request: ChildRequest,
  blocks: readonly Uint8Array[],
  limits: ParseLimits,
  reader: CappedChild,
  signal: AbortSignal | undefined,
) {
  const size = blocks.reduce((total, block) => total + block.length, 0);
  const caps: ChildCaps = {
    maxRssBytes: limits.maxRssBytes + 4 * size,
    maxMs: limits.maxMs,
    maxOutputBytes: OUTPUT_FACTOR * size + OUTPUT_ALLOWANCE,
  };
  if (size > LARGE_INPUT_BYTES) reader.yieldToOthers();
  const message = encodeMessage({ head: request, blocks });
  const first = await reader.ask(message, caps, signal);
  // The source is not the cause: another process reads it.
  const outcome =
    first.ok || first.reason !== 'asleep' ? first : await startReader(limits).ask(message, caps, signal);
  if (!outcome.ok) {
    if (outcome.reason === 'crash')
      return { ...invalid(`its reader crashed (${briefly(outcome.detail)})`), passing: true as const };
    if (outcome.reason === 'asleep')
      return { ...invalid('its reader made no progress, twice'), passing: true as const };
    const what = { memory: 'memory', time: 'time', output: 'space' }[outcome.reason];
    const refused = { ...invalid(`it takes too much ${what} to read`), costly: true as const };
    return outcome.reason === 'time' ? { ...refused, passing: true as const } : refused;
  }
  try {
    return { ok: true as const, message: decodeMessage(outcome.output) };
  } catch {
    return invalid('the reader returned an invalid response');
  }
}

function invalid(reason: string): Refusal {
  return { ok: false, code: 'PDF_INVALID', message: `The PDF cannot be processed: ${reason}.` };
}

/** Checks that a response is consistent: the file may have taken over the child. */
function isPlausible(bytes: Uint8Array, facts: BaseFacts): boolean {
  const { startXref, size, rootNumber, pages, slots } = facts;
  const whole = (value: number, max: number) => Number.isSafeInteger(value) && value > 0 && value <= max;
  return (
    whole(startXref, bytes.length) &&
    whole(size, 10_000_000) &&
    whole(rootNumber, size) &&
    pages.length > 0 &&
    slots.every((slot) => whole(slot.num, size) && whole(slot.page, pages.length)) &&
    /^[0-9a-f]{32}$/.test(facts.id)
  );
}

/** Removes the file paths of this installation from a child's error message. */
export function briefly(complaint: string): string {
  return /^\w*Error\b.*$/m.exec(complaint)?.[0] ?? complaint.split(':')[0] ?? '';
}
