import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ROWPRESS } from './cli.ts';

export interface ToolAnswer<T> {
  readonly data: T;
  readonly png: Buffer | undefined;
  readonly chars: number;
}

export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly retry: string;
  readonly status?: number;
  readonly request_id?: string;
  readonly retry_after_seconds?: number;
  readonly differs_in?: string[];
}

/** The SDK's own client, as agents use it. */
export class McpClient {
  readonly sdk: Client;
  /** What `rowpress mcp` wrote to standard error. */
  readonly said: string[] = [];

  private constructor(sdk: Client) {
    this.sdk = sdk;
  }

  /** Speaks to `POST /mcp`. */
  static async http(url: string, key: string): Promise<McpClient> {
    const headers = { authorization: `Bearer ${key}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    return McpClient.#open(transport as Parameters<Client['connect']>[0]);
  }

  /** Starts `rowpress mcp` and speaks to it over its standard input and output. */
  static async stdio(server: string, key: string): Promise<McpClient> {
    const transport = new StdioClientTransport({
      command: ROWPRESS,
      args: ['mcp', '--server', server],
      env: { PATH: process.env.PATH ?? '', ROWPRESS_API_KEY: key },
      stderr: 'pipe',
    });
    const client = await McpClient.#open(transport as Parameters<Client['connect']>[0]);
    transport.stderr?.on('data', (chunk: Buffer) => client.said.push(String(chunk)));
    return client;
  }

  static async #open(transport: Parameters<Client['connect']>[0]): Promise<McpClient> {
    const sdk = new Client({ name: 'test', version: '1' });
    await sdk.connect(transport);
    return new McpClient(sdk);
  }

  /** Calls a tool that succeeds. The text and the structured content must be equal. */
  async call<T = Record<string, unknown>>(name: string, input: object = {}): Promise<ToolAnswer<T>> {
    const { isError, content, structuredContent } = await this.#send(name, input);
    const [text, image] = content;
    if (text?.type !== 'text' || isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
    const data = JSON.parse(text.text) as T;
    if (JSON.stringify(structuredContent) !== text.text) throw new Error(`${name}: two different results`);
    const png = image?.type === 'image' ? Buffer.from(image.data, 'base64') : undefined;
    return { data, png, chars: text.text.length };
  }

  /** Calls a tool that returns an error. */
  async refused(name: string, input: object = {}): Promise<ToolError> {
    const { isError, content } = await this.#send(name, input);
    const [text] = content;
    if (isError !== true || text?.type !== 'text') throw new Error(`${name}: ${JSON.stringify(content)}`);
    return (JSON.parse(text.text) as { error: ToolError }).error;
  }

  async #send(name: string, input: object): Promise<CallToolResult> {
    const call = { name, arguments: input as Record<string, unknown> };
    return (await this.sdk.callTool(call, undefined, { timeout: 110_000 })) as CallToolResult;
  }

  close(): Promise<void> {
    return this.sdk.close();
  }
}
