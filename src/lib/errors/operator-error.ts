/**
 * A problem that only the operator can solve (a directory that cannot be written, a second owner, a database of
 * another version). The message says what is wrong and what to do. The command line prints it without a
 * stack and exits with 1.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
