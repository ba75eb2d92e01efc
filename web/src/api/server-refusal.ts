/** An error response of the server. Every surface has its own envelope; this class reads them all. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly requestId: string | undefined;

  constructor(status: number, body: unknown, headers: Headers) {
    const read = readEnvelope(body);
    super(read.message ?? `The server responded with status ${status}.`);
    this.name = 'ServerRefusal';
    this.status = status;
    this.code = read.code ?? 'UNKNOWN';
    this.field = read.field;
    this.requestId = read.requestId ?? requestIdOf(headers);
  }
}

type Members = Readonly<Record<string, unknown>>;

interface Envelope {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly field?: string | undefined;
  readonly requestId?: string | undefined;
}

function readEnvelope(body: unknown): Envelope {
  const members = membersOf(body);
  const error = membersOf(members.error);
  if (text(error.code) !== undefined) return readNested(error);
  return text(members.code) === undefined ? readProblem(members) : readFlat(members);
}

/** The operator API and Subscribers: `{"error": {"code", "message", …}}`. */
const readNested = (error: Members): Envelope => ({
  code: text(error.code),
  message: text(error.message),
  field: text(error.field) ?? text(membersOf(error.details).field),
  requestId: text(error.request_id),
});

/** Bulk Fill: `{"code", "message"}`. */
const readFlat = (members: Members): Envelope => ({
  code: text(members.code),
  message: text(members.message),
});

/** Ingest: a problem of RFC 9457. Its `type` is an address whose fragment is the code. */
const readProblem = (problem: Members): Envelope => ({
  code: text(problem.type)?.match(/#(.+)$/)?.[1],
  message: text(problem.detail) ?? text(problem.title),
  field: Array.isArray(problem.errors) ? text(membersOf(problem.errors[0]).field) : undefined,
  requestId: text(problem.trace_id),
});

/** Bulk Fill and Subscribers name the request in a header only. */
const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-request-id') ?? headers.get('x-mailrith-request-id') ?? undefined;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
