import { join } from 'node:path';
import { build } from 'esbuild';
import { hashOf } from './build-site.ts';

/** Bundles the style and the scripts of the site. The style uses the tokens of the web app. */
export async function bundleSite(root: string) {
  const bundle = async (name: string, format: 'esm' | 'iife') => {
    const { outputFiles } = await build({
      entryPoints: [join(root, 'web/docs', name)],
      bundle: true,
      minify: true,
      write: false,
      format,
      target: ['es2022', 'chrome123', 'safari17.5', 'firefox120'],
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  };
  const [style, script, theme] = await Promise.all([
    bundle('site.css', 'esm'),
    bundle('site.ts', 'esm'),
    bundle('theme.ts', 'iife'),
  ]);
  const names = {
    style: `assets/site-${hashOf(style)}.css`,
    script: `assets/site-${hashOf(script)}.js`,
    theme: `assets/theme-${hashOf(theme)}.js`,
  };
  return {
    names,
    files: [
      [names.style, style],
      [names.script, script],
      [names.theme, theme],
    ] as const,
  };
}
