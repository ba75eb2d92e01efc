import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/**
 * Phrases that need a second reading, each with what to write instead (CONTRIBUTING.md, "How we write"). The list is short on
 * purpose: it stops the worst patterns from coming back and leaves style to reviewers.
 */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bhears? of\b/i, 'receives, observes'],
  [/\b(?:is|are|was|were) told\b/i, 'receives, gets'],
  [/\b(?:is|are) let go\b/i, 'is deleted, is released'],
  [/\bcomes? along\b/i, 'is included'],
  [/\bwhoever\b/i, 'the caller, the client, anyone who'],
  [/\bwho asks\b/i, 'the caller'],
  [/\b(?:is|are) no (?:CSV|PDF|ZIP|Excel|valid)\b/i, 'is not a'],
  [/, also (?:under|when|if|after|during)\b/i, 'even'],
  [/\bfor ever\b/i, 'forever, permanently'],
  [/\bhas no room\b/i, 'is full'],
  [/\b(?:is|are) away\b/i, 'is unavailable'],
  [/\bno such thing\b/i, 'not found'],
  [/\bis said once\b/i, 'is defined once'],
];

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEXTS = [
  '*.{md,ts}',
  'bin/rowpress',
  'migrations/*.sql',
  '{bench,clients,docs,examples,scripts,src,test,web/src}/**/*.{ts,tsx,md,css,py,sh}',
];

test('no text contains a phrase that reads like a translation', () => {
  const files = globSync(TEXTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter(
    (path) => path !== 'test/architecture/voice.test.ts',
  );
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        PHRASES.filter(([phrase]) => phrase.test(line)).map(
          ([phrase, instead]) => `${path}:${index + 1} “${phrase.exec(line)?.[0]}”: write ${instead}`,
        ),
      ),
  );
  expect(found).toEqual([]);
});
