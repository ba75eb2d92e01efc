import { z } from 'zod';
import type { ToolContext } from './api.ts';
import { ToolFailure } from './tool-failure.ts';

/** The result of a tool: small JSON, and at most one picture. */
export interface ToolResult {
  readonly data: Readonly<Record<string, unknown>>;
  readonly png?: Uint8Array;
}

/** What a client may assume about the effects of a tool (`annotations` of the protocol). */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolHints;
  run(context: ToolContext, input: unknown): Promise<ToolResult>;
}

export const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds a job, once per idempotency key, and changes nothing else. */
export const addsOnce: ToolHints = { ...reads, readOnlyHint: false };

interface ToolSpec<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolHints;
  run(context: ToolContext, input: z.output<Input>): Promise<ToolResult>;
}

export function defineTool<Input extends z.ZodObject>({ input, run, ...told }: ToolSpec<Input>): Tool {
  const { $schema: _, ...inputSchema } = portable(z.toJSONSchema(input, { io: 'input' }));
  return {
    ...told,
    inputSchema,
    run: (context, given) => {
      const parsed = input.safeParse(given ?? {});
      if (!parsed.success) throw badInput(parsed.error);
      return run(context, parsed.data);
    },
  };
}

/** Writes a list of types as `anyOf`: some clients convert schemas to dialects in which `type` is one name. */
function portable(schema: object): Record<string, unknown> {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    const { type, ...rest } = Object(value) as { type?: unknown };
    return Array.isArray(type) ? { ...rest, anyOf: type.map((name) => ({ type: name })) } : value;
  });
  return JSON.parse(text) as Record<string, unknown>;
}

function badInput({ issues: [issue] }: z.ZodError): ToolFailure {
  const where = issue?.path.join('.') || 'arguments';
  return new ToolFailure('INVALID_FIELD', `${where}: ${issue?.message ?? 'has an invalid value'}.`);
}
