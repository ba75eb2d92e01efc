import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { settings } from '#config/settings.ts';

const compose = readFileSync('compose.yaml', 'utf8');
const dockerfile = readFileSync('Dockerfile', 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

test('[OPS46] compose.yaml and the Dockerfile: name settings and files that exist', () => {
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  const named = [compose, dockerfile].flatMap((text) => matches(text, /\b(ROWPRESS_[A-Z_]+[A-Z])\b/g));
  expect(named.length).toBeGreaterThan(5);
  const unknown = named.map((name) => name.replace(/_FILE$/, '')).filter((name) => !known.has(name));
  // The name of the image is a variable of compose.yaml alone.
  expect([...new Set(unknown)]).toEqual(['ROWPRESS_IMAGE']);
  for (const path of matches(compose, /"\.\/(container\/[^:]+):/g)) expect(existsSync(path), path).toBe(true);
});

test('[OPS46] container/make-secrets: writes every secret of compose.yaml once and keeps it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rowpress-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await mkdir(join(folder, 'container'));
  await cp('container/make-secrets', join(folder, 'container/make-secrets'));
  const made = () => {
    execFileSync(join(folder, 'container/make-secrets'));
    return readdirSync(join(folder, 'secrets')).map((name) => [
      name,
      readFileSync(join(folder, 'secrets', name), 'utf8'),
    ]);
  };
  const first = made();
  expect(first.map(([name]) => name)).toEqual(matches(compose, /file: \.\/secrets\/([^ ]+)/g).sort());
  expect(new Map(first.map(([name = '', text]) => [name, text])).get('secret-key')).toMatch(/^[0-9a-f]{64}$/);
  expect(made()).toEqual(first);
});
