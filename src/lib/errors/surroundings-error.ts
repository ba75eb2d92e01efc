import type { Fault } from './fault-of.ts';

/** What callers are told beyond the title of the fault. */
export interface FaultAnswer {
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/**
 * Something outside failed that its adapter understands better than a code can say. The message is for operators and logs,
 * and quotes no credential and no input; the fault, and `answer` if there is one, decide what callers are told.
 */
export class SurroundingsError extends Error {
  override readonly name = 'SurroundingsError';
  readonly fault: Fault;
  readonly answer: FaultAnswer;

  constructor(fault: Fault, message: string, answer: FaultAnswer = {}) {
    super(message);
    this.fault = fault;
    this.answer = answer;
  }
}
