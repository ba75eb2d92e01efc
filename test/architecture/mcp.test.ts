import { expect, test } from 'vitest';
import { productSources } from '../support/source-files.ts';

const STATIC = /^\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

test('[MCP18] the MCP library: is loaded by the first message, not by the start of the server', () => {
  const sources = new Map(productSources().map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = sources.get(path);
    if (file === undefined || reached.has(path)) return;
    reached.add(path);
    const loaded = new Set([...file.text.matchAll(STATIC)].map(([, name]) => name));
    for (const { name, file: target, typeOnly } of file.imports)
      if (!typeOnly && loaded.has(name) && target !== undefined) visit(target);
  };
  // The build of a surface is a dynamic import, which the start always makes.
  for (const start of ['src/cli/main.ts', 'src/cli/server-commands.ts', 'src/bulkfill/build.ts'])
    visit(start);
  const users = (path: string) =>
    [...(sources.get(path)?.text ?? '').matchAll(STATIC)].map(([, name]) => name);
  expect(reached).toContain('src/bulkfill/mcp/routes.ts');
  const wrong = [...reached].filter((path) =>
    users(path).some((name) => name?.startsWith('@modelcontextprotocol/')),
  );
  expect(wrong).toEqual([]);
});
