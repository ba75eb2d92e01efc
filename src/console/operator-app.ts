import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { RouteContext } from '#http/route-group.ts';

/** The Fastify scope that operator routes are registered in, with their schemas as types. */
export type OperatorApp = Parameters<FastifyPluginAsyncZod<RouteContext>>[0];
