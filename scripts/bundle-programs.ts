import { basename } from 'node:path';
import type { Plugin } from 'esbuild';
import { CHECKOUT, PROGRAMS } from '#lib/built-programs.ts';

/** These packages load their WebAssembly from their own folder. */
const LEFT_IN_PLACE = ['harfbuzzjs', '@hyzyla/pdfium'];

/** @libpdf/core loads these to sign PDFs, which none of our programs does. Loading them takes 45 ms of processor time. */
const LEFT_OUT = /^(pkijs|asn1js)$/;
const NAMESPACE = 'left-out';

/** Replaces a package by one that only has the class that @libpdf/core extends when it is loaded. */
const leaveOut: Plugin = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: NAMESPACE }));
    build.onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents: 'exports.CryptoEngine=class{}' }));
  },
};

export interface BundledPrograms {
  /** The name of the bundle of each source. */
  readonly programs: Readonly<Record<string, string>>;
  /** The files that the bundles were made from, as paths in the checkout. */
  readonly inputs: readonly string[];
}

/** Bundles each of our programs (src/lib/built-programs.ts) into one file. Returns undefined without esbuild. */
export async function bundlePrograms(folder: string): Promise<BundledPrograms | undefined> {
  const esbuild = await import('esbuild').catch(() => undefined);
  if (esbuild === undefined) return undefined;
  const { metafile } = await esbuild.build({
    absWorkingDir: CHECKOUT,
    entryPoints: [...PROGRAMS],
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    // Code that a program loads lazily stays in its own file.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.18',
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    external: LEFT_IN_PLACE,
    plugins: [leaveOut],
    // Some packages still call `require` for Node's built-in modules.
    banner: {
      js: "import{createRequire as createRequireHere}from'node:module';const require=createRequireHere(import.meta.url);",
    },
    metafile: true,
    logLevel: 'warning',
  });
  return {
    programs: Object.fromEntries(PROGRAMS.map((source) => [source, basename(source).replace(/ts$/, 'js')])),
    inputs: Object.keys(metafile.inputs).filter((path) => !path.startsWith(`${NAMESPACE}:`)),
  };
}
