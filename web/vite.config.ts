import { fileURLToPath } from 'node:url';
import { defineConfig, type Rollup } from 'vite';
import { pdfjsFiles } from './vite/pdfjs-files.ts';

/**
 * Addresses in the built page are relative: the server puts the base path into `<base>`, so one build serves any path.
 * Nothing is inlined as `data:`, because the content security policy lets scripts and styles come from files only.
 */
export default defineConfig({
  base: './',
  // The web app is a package of its own, so the `#…` imports of the server's package.json need an alias here.
  resolve: {
    alias: [{ find: /^#(?=[a-z])/, replacement: fileURLToPath(new URL('../src/', import.meta.url)) }],
  },
  plugins: [pdfjsFiles()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rollupOptions: { onwarn },
  },
  // The names tell the files of the engine's worker apart from those that the page needs first.
  worker: { format: 'es', rollupOptions: { output: { chunkFileNames: 'assets/engine-[name]-[hash].js' } } },
});

/** Libraries' notes to other bundlers, which are no matter of ours; anything else is shown. */
const OF_NO_CONCERN = new Set(['MODULE_LEVEL_DIRECTIVE', 'INVALID_ANNOTATION']);

function onwarn(warning: Rollup.RollupLog, show: (warning: Rollup.RollupLog) => void): void {
  // harfbuzzjs asks for Node's `module` only where there is a Node.
  const nodeOnly = warning.plugin === 'vite:resolve' && warning.message.includes('harfbuzz');
  if (!OF_NO_CONCERN.has(warning.code ?? '') && !nodeOnly) show(warning);
}
