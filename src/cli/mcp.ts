import { Command } from 'commander';
import { tell } from './answer.ts';
import { serverAndKey } from './remote/connection.ts';

/** `rowpress mcp`: an MCP server on standard input and output, for the account of an API key on a Rowpress server. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('Serve the tools of a Rowpress server to an AI agent (MCP over standard input and output)')
    .option('--server <url>', 'URL of the server (default: ROWPRESS_SERVER); the key is in ROWPRESS_API_KEY')
    .action(async (flags: { readonly server?: string }) => {
      const { baseUrl, apiKey } = serverAndKey(flags);
      await serve(baseUrl, apiKey);
    });
}

/** Standard output belongs to the protocol; messages go to standard error. Ends when the client closes standard input. */
async function serve(server: string, apiKey: string): Promise<void> {
  const [{ StdioServerTransport }, { createMcpServer }, { networkApi }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('#bulkfill/mcp/mcp-server.ts'),
    import('#bulkfill/mcp/network-api.ts'),
  ]);
  const report = (error: unknown) => tell(`rowpress: ${error instanceof Error ? error.message : error}`);
  const mcp = createMcpServer(networkApi({ server, apiKey }), report);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  mcp.onclose = resolve;
  mcp.onerror = report;
  process.stdin.once('end', () => void mcp.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void mcp.close());
  await mcp.connect(new StdioServerTransport());
  await closed;
}
