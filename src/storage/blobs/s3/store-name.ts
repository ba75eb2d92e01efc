import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import type { S3Objects } from './s3-objects.ts';

const NAME_KEY = 'store-id';
const VOTES = 'store-id.votes';
const NAME = /^[0-9a-f]{64}$/;
/** Almost every round decides on its own. This many rounds mean that the store returns incomplete lists. */
const MAX_ROUNDS = 100;

/**
 * Returns the name of the store, an object that is written once. Concurrent callers agree on it.
 *
 * Conditional writes would need one request, but small stores lack them. PUT, GET and LIST remain, and no fixed number
 * of those can make competitors agree (they are registers: Herlihy 1991, consensus number 1). "The smallest candidate
 * wins" shows why: a smaller one may arrive after the first has looked. So the vote runs in rounds of *commit-adopt*
 * (Gafni 1998). Rounds never disagree and end as soon as one competitor is alone in a round, which random pauses bring
 * about.
 *
 * A round with the value v:
 *   1. put `1-v`; list the `1-`s. If v is alone, put `2-yes-v`, else put `2-no-v`.
 *   2. list the `2-`s. Only `yes-v`: v is decided. Some `yes-w`: continue with w. None: continue with any value seen.
 *
 * This needs one property: a list that starts after a put was acknowledged shows that put (S3 has it since 2020). Then
 *   a. one round has at most one yes-value: of two that put v and w and then listed, the later list contains both;
 *   b. once v is decided in a round, all leave that round with v. A competitor's `2-…` is either in the list that
 *      decided, so it is yes-v and the competitor sees it too; or it was put after that list began, so after `2-yes-v` was
 *      acknowledged, and the competitor's list shows yes-v;
 *   c. so in the next round only v is put, and everyone decides v.
 * Every process that decides writes v as the store's name, so all write the same. Votes are never deleted, because a
 * competitor may have been suspended since before the decision. They are empty objects, two for each participant of the
 * first start. If the name is lost, the votes restore it.
 */
export async function nameStore(
  objects: Registers,
  wait: (round: number) => Promise<void> = waitABit,
): Promise<string> {
  const found = await readName(objects);
  if (found !== undefined) return found;
  const name = await agree(objects, randomBytes(32).toString('hex'), wait);
  const body = Buffer.from(`${name}\n`);
  await objects.put(NAME_KEY, body, sha256(body));
  return name;
}

type Registers = Pick<S3Objects, 'put' | 'get' | 'list' | 'place'>;

/** Waits longer with every round, so that one competitor gets ahead of the others. */
function waitABit(round: number): Promise<void> {
  return pause(Math.random() * 20 * 2 ** Math.min(round, 7));
}

async function readName(objects: Registers): Promise<string | undefined> {
  const found = await objects.get(NAME_KEY, 0);
  if (found === 'missing') return undefined;
  if (found === 'beyond') throw new Error('bug: a read from offset 0 is past the end of the object');
  const parts: Uint8Array[] = [];
  for await (const part of found.body) parts.push(part);
  const name = Buffer.concat(parts).toString().trim();
  if (!NAME.test(name))
    throw new SurroundingsError(
      'unavailable',
      `The object ${NAME_KEY} in ${objects.place} does not contain the name of a blob store. Check that ROWPRESS_BLOBS is the address of one.`,
    );
  return name;
}

async function agree(
  objects: Registers,
  own: string,
  wait: (round: number) => Promise<void>,
): Promise<string> {
  let value = own;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    await vote(objects, round, `1-${value}`);
    const values = await votes(objects, round, '1-');
    await vote(objects, round, values.length === 1 ? `2-yes-${value}` : `2-no-${value}`);
    const answers = await votes(objects, round, '2-');
    const yes = answers.find((answer) => answer.startsWith('yes-'))?.slice('yes-'.length);
    if (yes !== undefined && answers.length === 1) return yes;
    // Without a yes any value is valid. Choose the smallest, because most others choose it too.
    value = yes ?? values.sort()[0] ?? value;
    await wait(round);
  }
  throw new Error('bug: the blob store does not list objects that it stored');
}

async function vote(objects: Registers, round: number, what: string): Promise<void> {
  await objects.put(`${VOTES}/${round}/${what}`, Buffer.alloc(0), sha256(Buffer.alloc(0)));
}

/** Returns the rest of the names of this round's votes that begin with `start`. */
async function votes(objects: Registers, round: number, start: string): Promise<string[]> {
  const below = `${VOTES}/${round}/${start}`;
  const found: string[] = [];
  for await (const { key } of objects.list(below)) found.push(key.slice(below.length));
  return found;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
