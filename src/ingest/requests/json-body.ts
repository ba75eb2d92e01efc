import type { z } from 'zod';
import { parseJson } from '#lib/parse-json.ts';
import { refuse } from '../errors.ts';
import type { Write } from './answer-once.ts';

/** Reads the JSON body of a management route. `write.body` limits its size. */
export async function readJsonBody<Schema extends z.ZodType>(
  write: Write,
  schema: Schema,
): Promise<z.output<Schema>> {
  const chunks: Buffer[] = [];
  for await (const chunk of write.body) chunks.push(chunk);
  const json = parseJson(Buffer.concat(chunks));
  if (!json.ok) throw refuse('malformed-request', `The body ${json.reason}.`);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw refuse('malformed-request', `${issue?.path.join('.') || 'body'}: ${issue?.message}.`);
}
