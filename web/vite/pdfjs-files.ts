import { cpSync, createReadStream, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * pdf.js asks for character maps, the standard fonts, colour profiles and its decoders by file name below a folder, so
 * they are copied as they are: the page must not ask any other server for them.
 */
const FOLDERS = ['cmaps', 'standard_fonts', 'iccs', 'wasm'];

export function pdfjsFiles(): Plugin {
  const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  let output = '';
  return {
    name: 'rowpress-pdfjs-files',
    configResolved: ({ root, build }) => {
      output = join(root, build.outDir, 'pdfjs');
    },
    configureServer: ({ middlewares }) => {
      middlewares.use('/pdfjs', (request, response, next) => {
        const file = join(home, join('/', request.url ?? ''));
        if (FOLDERS.some((folder) => file.startsWith(join(home, folder))) && existsSync(file))
          createReadStream(file).pipe(response);
        else next();
      });
    },
    closeBundle: () => {
      for (const folder of FOLDERS) cpSync(join(home, folder), join(output, folder), { recursive: true });
    },
  };
}
