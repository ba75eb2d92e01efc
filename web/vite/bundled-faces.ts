import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { BUILT_IN_FAMILIES, FALLBACK_FAMILIES } from '../../src/fill/fonts/bundled-faces.ts';

/**
 * `virtual:bundled-faces` tells the engine in the browser where each face it may ask for is served. The list is the
 * engine's own; faces of optional packages that are not installed are left out, as they are on the server.
 */
const NAME = 'virtual:bundled-faces';
const RESOLVED = `\0${NAME}`;

export function bundledFaces(): Plugin {
  return {
    name: 'rowpress-bundled-faces',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? moduleText() : undefined),
  };
}

/** The faces whose packages are installed, with their files. */
export function installedFaces(): { readonly name: string; readonly file: string }[] {
  const folders = createRequire(import.meta.url).resolve.paths('harfbuzzjs') ?? [];
  const names = new Set(
    [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES]
      .flatMap((family): (string | undefined)[] => Object.values(family))
      .filter((name) => name !== undefined),
  );
  return [...names].flatMap((name) => {
    const file = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    return file === undefined ? [] : [{ name, file }];
  });
}

function moduleText(): string {
  const found = installedFaces();
  const imports = found.map(
    ({ file }, index) => `import face${index} from ${JSON.stringify(`${file}?url`)};`,
  );
  const entries = found.map(({ name }, index) => `${JSON.stringify(name)}: face${index}`);
  return `${imports.join('\n')}\nexport default { ${entries.join(', ')} };\n`;
}
