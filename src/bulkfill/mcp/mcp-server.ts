import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '#lib/version.ts';
import type { Api } from './api.ts';
import type { Tool, ToolResult } from './tool.ts';
import { ToolFailure } from './tool-failure.ts';
import { tools } from './tools.ts';

const INSTRUCTIONS = [
  'Rowpress fills a PDF with rows of data and makes one document per row.',
  'Usual order: list_projects, get_row_schema, dry_run_rows until no row has a problem, look_at_row for one row, run_rows, get_job_status, get_problem_rows, get_download_links.',
  'An error has a code and retry: same-key (repeat the same call later), new-key (repeat it with another idempotency_key) or no (change the input first).',
].join('\n');

/** What the server reports besides the result: a failure that is a bug. */
export type OnBug = (error: unknown) => void;

/** Builds an MCP server whose tools call the API. It speaks to one client and keeps nothing between two calls. */
export function createMcpServer(api: Api, onBug: OnBug): Server {
  const server = new Server(
    { name: 'rowpress', title: 'Rowpress', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(described) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    try {
      return resultOf(await tool.run({ api, signal }, params.arguments));
    } catch (error) {
      if (!(error instanceof ToolFailure) && !signal.aborted) onBug(error);
      return failed(error instanceof ToolFailure ? error : new ToolFailure('INTERNAL_ERROR', UNEXPECTED));
    }
  });
  return server;
}

const UNEXPECTED = 'The tool failed unexpectedly.';

const described = ({ run: _, inputSchema, ...tool }: Tool) => ({
  ...tool,
  inputSchema: inputSchema as { type: 'object' },
});

function resultOf({ data, png }: ToolResult): CallToolResult {
  const text = { type: 'text' as const, text: JSON.stringify(data) };
  if (png === undefined) return { content: [text], structuredContent: data };
  const image = {
    type: 'image' as const,
    data: Buffer.from(png).toString('base64'),
    mimeType: 'image/png',
  };
  return { content: [text, image], structuredContent: data };
}

function failed(failure: ToolFailure): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: failure.view() }) }] };
}
