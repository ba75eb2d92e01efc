import type { Fault } from './fault-of.ts';

/**
 * Something outside failed that its adapter understands better than a code can say. The message is for operators and logs,
 * and quotes no credential and no input; the fault decides what callers are told.
 */
export class SurroundingsError extends Error {
  override readonly name = 'SurroundingsError';
  readonly fault: Fault;

  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}
