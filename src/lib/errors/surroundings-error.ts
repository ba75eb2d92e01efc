import type { Fault } from './fault-of.ts';

/** What the response contains besides the title of the fault. */
export interface FaultAnswer {
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/**
 * A fault of the environment that an adapter classifies itself. The message is for operators and logs, and contains neither credentials
 * nor input. The fault and the optional `answer` determine the response.
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
