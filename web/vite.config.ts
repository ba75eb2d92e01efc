import { defineConfig } from 'vite';
import { bundledFaces } from './vite/bundled-faces.ts';
import { pdfjsFiles } from './vite/pdfjs-files.ts';

/**
 * Addresses in the built page are relative: the server puts the base path into `<base>`, so one build serves any path.
 * Nothing is inlined as `data:`, because the content security policy lets scripts and styles come from files only.
 */
export default defineConfig({
  base: './',
  plugins: [pdfjsFiles()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es', plugins: () => [bundledFaces()] },
});
