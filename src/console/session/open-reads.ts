/** Time between two checks of the stored sessions. The contract allows five seconds (CON41). */
const CHECK_MS = 1_000;

/** Returns those of the readers that still have their session, role and account. */
type FindLive = (readers: readonly string[]) => Promise<ReadonlySet<string>>;

/** A session with the role that a response was opened with: `<token hash> <role> <account>`. */
export const readerOf = (session: {
  readonly tokenHash: Buffer;
  readonly role: string;
  readonly accountId: string | null;
}): string => `${session.tokenHash.toString('hex')} ${session.role} ${session.accountId ?? ''}`;

/**
 * The open responses of this process, by session. Once a second one query checks their sessions, and the responses of
 * a session that has ended, or whose person has another role by now, are closed. Polling works on every node without a message between them, and nothing runs
 * while no response is open.
 */
export class OpenReads {
  readonly #findLive: FindLive;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<string, Set<() => void>>();
  #checking = false;

  constructor(findLive: FindLive, onError: (error: unknown) => void) {
    this.#findLive = findLive;
    this.#onError = onError;
  }

  /** Calls `close` when the session ends (`readerOf`). Call the returned function when the response is done. */
  add(session: string, close: () => void): () => void {
    const responses = this.#open.get(session) ?? new Set();
    this.#open.set(session, responses.add(close));
    if (!this.#checking) this.#checkLater();
    return () => {
      responses.delete(close);
      if (responses.size === 0 && this.#open.get(session) === responses) this.#open.delete(session);
    };
  }

  /** Unreferenced, so that it keeps no process alive. */
  #checkLater(): void {
    this.#checking = this.#open.size > 0;
    if (this.#checking)
      setTimeout(() => void this.#check().finally(() => this.#checkLater()), CHECK_MS).unref();
  }

  /** A check that fails closes nothing: what these responses send is read from the same database. */
  async #check(): Promise<void> {
    const sessions = [...this.#open.keys()];
    if (sessions.length === 0) return;
    try {
      const live = await this.#findLive(sessions);
      for (const session of sessions) if (!live.has(session)) this.#closeAll(session);
    } catch (error) {
      this.#onError(error);
    }
  }

  #closeAll(session: string): void {
    const responses = this.#open.get(session);
    this.#open.delete(session);
    for (const close of responses ?? []) close();
  }
}
