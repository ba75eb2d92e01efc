import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { SurfaceContext } from '#http/surface.ts';

/** The Fastify scope that operator routes are registered in, with their schemas as types. */
export type OperatorApp = Parameters<FastifyPluginAsyncZod<SurfaceContext>>[0];
