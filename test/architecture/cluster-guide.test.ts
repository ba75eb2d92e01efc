import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '#config/settings.ts';
import { render, TEMPLATES, variables } from '../cluster/support/templates.ts';

const guide = readFileSync('docs/guides/high-availability.md', 'utf8');
const blocks = [...guide.matchAll(/^```[a-z]*\n(.*?)^```$/gms)].map(([, block]) => block);
const files = readdirSync(TEMPLATES);
const contentOf = (name: string) => readFileSync(join(TEMPLATES, name), 'utf8');

test('[OPS117] each file of container/cluster: is in the guide word for word', () => {
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((name) => !blocks.includes(contentOf(name)))).toEqual([]);
});

test('[OPS117] the environment files: name settings that exist', () => {
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  const named = files
    .filter((name) => name.endsWith('.env'))
    .flatMap((name) => Object.keys(variables(contentOf(name).replaceAll(/^#.*\n/gm, ''))));
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('[OPS117] a replacement that no longer matches, or an address that is left: fails the rendering', () => {
  const password = { 'rowpress-password': 'secret' };
  expect(render('userlist.txt', password)).toBe('"rowpress" "secret"\n');
  expect(() => render('userlist.txt', { ...password, '10.0.0.99': '127.0.0.1' })).toThrow(
    'userlist.txt does not contain "10.0.0.99"',
  );
  expect(() => render('userlist.txt', {})).toThrow('userlist.txt still contains "-password" of the guide');
});
