import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The configuration that docs/guides/high-availability.md shows. */
export const TEMPLATES = fileURLToPath(new URL('../../../container/cluster', import.meta.url));

/** Addresses, folders and passwords of the guide, and what replaces them on this machine. */
export type Replacements = Readonly<Record<string, string | number>>;

/**
 * Renders a file of the guide. Every replacement must occur in the file, and no address, folder or password of the guide may be
 * left, so that the suite runs what readers copy and nothing else.
 */
export function render(name: string, replacements: Replacements): string {
  let text = readFileSync(join(TEMPLATES, name), 'utf8').replaceAll(/^\s*[#;].*\n/gm, '');
  for (const [guide, here] of Object.entries(replacements)) {
    if (!text.includes(guide)) throw new Error(`${name} does not contain "${guide}"`);
    text = text.replaceAll(guide, String(here));
  }
  const left = /10\.0\.0\.|\/(?:etc|var)\/|-password|-key$|installation-secret/m.exec(text);
  if (left !== null) throw new Error(`${name} still contains "${left[0]}" of the guide`);
  return text;
}

/** The variables of a rendered file for `EnvironmentFile=`. */
export function variables(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
