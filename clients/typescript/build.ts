/**
 * Builds `dist`: one bundle and the declarations for `import`, the same for `require`. npm runs this before it packs the
 * client. An argument names another folder than `dist`. Two folders with their own `type` give each kind of consumer declarations of its own kind.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
// The root's compiler: the one in this folder only serves openapi-typescript.
const compiler = createRequire(join(root, '../../package.json')).resolve('typescript/package.json');

const dist = process.argv[2] ?? join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
for (const [folder, format, type] of [
  ['esm', 'esm', 'module'],
  ['cjs', 'cjs', 'commonjs'],
] as const) {
  const outDir = join(dist, folder);
  await build({
    entryPoints: [join(root, 'src/rowpress.ts')],
    outfile: join(outDir, 'rowpress.js'),
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    // Names stay readable in stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
  });
  const args = [
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--outDir',
    outDir,
    '--rootDir',
    join(root, 'src'),
  ];
  const { status } = spawnSync(process.execPath, [join(dirname(compiler), 'bin/tsc'), '-p', root, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  // TypeScript keeps the names of source files in declarations.
  for (const path of globSync(join(outDir, '*.d.ts')))
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(
        /(from '\.\/[\w-]+|import\("\.\/[\w-]+|from "\.\/[\w-]+)\.ts/g,
        '$1.js',
      ),
    );
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify({ type })}\n`);
}
