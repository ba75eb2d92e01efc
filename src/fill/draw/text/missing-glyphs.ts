import { packageOf } from '#fill/fonts/face-files.ts';
import { scriptFontFor } from '#fill/fonts/script-fonts.ts';
import type { FaceChain } from './shaped-paragraph.ts';

const NAMED = 5;

/** The note on characters that no face has, with the font packages that would help. */
export function missingGlyphs(clusters: ReadonlySet<string>, chain: FaceChain): string {
  const codePoints = [...clusters].map((cluster) => cluster.codePointAt(0) ?? 0);
  const names = codePoints
    .slice(0, NAMED)
    .map((codePoint) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  const more = codePoints.length > NAMED ? ` and ${codePoints.length - NAMED} more` : '';
  const installed = installedFiles(chain);
  const help = new Set<string>();
  for (const codePoint of codePoints) {
    const font = scriptFontFor(codePoint);
    if (font === undefined) continue;
    const name = packageOf(font.files);
    // A package that is installed and lacks the character would not help.
    if (!installed.some((file) => file.startsWith(`${name}/`)))
      help.add(` ${font.script} needs the font package ${name}.`);
  }
  return `No font has ${names.join(', ')}${more}.${[...help].join('')}`;
}

function installedFiles(chain: FaceChain): string[] {
  const files: string[] = [];
  for (let place = 0, face = chain.face(0); face !== undefined; place += 1, face = chain.face(place)) {
    files.push(face.id);
  }
  return files;
}

/** The font packages in such a note, for callers that collect the notes of many rows. */
export function fontPackagesIn(note: string): string[] {
  return Array.from(note.matchAll(/needs the font package (\S+)\./g), ([, name]) => name ?? '');
}
