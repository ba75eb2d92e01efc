import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import type { S3Objects } from './s3-objects.ts';

const NAME_KEY = 'store-id';
const VOTES = 'store-id.votes';
const NAME = /^[0-9a-f]{64}$/;
/** Each round alone decides with any luck in timing; so many can only mean that the store lies about its lists. */
const MAX_ROUNDS = 100;

/**
 * The name of the store, an object written once, agreed on by all who ask at the same instant.
 *
 * Conditional writes would make this one request, but small stores lack them. What is left is PUT, GET and LIST, and no
 * fixed number of those can make competitors agree (they are registers: Herlihy 1991, consensus number 1). "The smallest of
 * all candidates wins" shows why: a smaller one may arrive after the first has looked. So it goes in rounds of
 * *commit-adopt* (Gafni 1998), which never disagree, and end as soon as one competitor is alone in a round, which random
 * pauses bring about.
 *
 * A round, with a value v in hand:
 *   1. put `1-v`; list the `1-`s. If v is alone, put `2-yes-v`, else put `2-no-v`.
 *   2. list the `2-`s. Only `yes-v`: v is decided. Some `yes-w`: go on with w. None: go on with any value seen.
 *
 * It needs one property: a list that begins after a put was answered shows that put (S3 has it since 2020). Then
 *   a. one round has at most one yes-value: of two who put v and w and then listed, the one who listed later saw both;
 *   b. once v is decided in a round, all who leave that round have v in hand: a competitor's `2-…` is either in the list of
 *      the one who decided, so it says yes-v and its owner sees it too; or it was put after that list began, so after
 *      `2-yes-v` was answered, and its owner's list shows yes-v;
 *   c. so in the next round only v is put, and everybody decides v.
 * Whoever decides writes v as the store's name: all who do so write the same. A vote is never deleted, since a competitor may
 * have slept since before the decision; they are empty objects, two for each who was there at the very first start. If the
 * name itself gets lost, the votes give it again.
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

/** Longer with every round, so that one of those who meet gets ahead of the others. */
function waitABit(round: number): Promise<void> {
  return pause(Math.random() * 20 * 2 ** Math.min(round, 7));
}

async function readName(objects: Registers): Promise<string | undefined> {
  const found = await objects.get(NAME_KEY, 0);
  if (found === 'missing') return undefined;
  if (found === 'beyond') throw new Error('bug: the whole of an object is beyond its end');
  const parts: Uint8Array[] = [];
  for await (const part of found.body) parts.push(part);
  const name = Buffer.concat(parts).toString().trim();
  if (!NAME.test(name))
    throw new SurroundingsError(
      'unavailable',
      `In ${objects.place} the object ${NAME_KEY} does not hold the name of a blob store. Check that ROWPRESS_BLOBS names one.`,
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
    // Without a yes any value will do. The smallest, because most others will choose the same.
    value = yes ?? values.sort()[0] ?? value;
    await wait(round);
  }
  throw new Error('bug: the blob store does not list what was put into it');
}

async function vote(objects: Registers, round: number, what: string): Promise<void> {
  await objects.put(`${VOTES}/${round}/${what}`, Buffer.alloc(0), sha256(Buffer.alloc(0)));
}

/** What stands behind `start` in the names of this round's votes. */
async function votes(objects: Registers, round: number, start: string): Promise<string[]> {
  const below = `${VOTES}/${round}/${start}`;
  const found: string[] = [];
  for await (const { key } of objects.list(below)) found.push(key.slice(below.length));
  return found;
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
