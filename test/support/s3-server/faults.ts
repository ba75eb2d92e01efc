/** What can go wrong with one request. */
export type Fault =
  /** Refused before anything happened. */
  | { readonly do: 'answer'; readonly status: number; readonly code: string }
  /** Done as asked, but the answer is lost: the connection breaks instead. */
  | { readonly do: 'loseAnswer' }
  /** The connection breaks before anything happened. */
  | { readonly do: 'reset' }
  /** No answer, ever. */
  | { readonly do: 'hang' }
  /** Of a body that is sent: breaks, hangs or goes wrong after so many bytes. */
  | { readonly do: 'cutBody' | 'hangBody' | 'spoilBody'; readonly after: number }
  /** Waits before it goes on. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> };

interface Planned {
  readonly operation: string;
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** Faults that are planned for coming requests, first come, first served. */
export class FaultPlan {
  #planned: Planned[] = [];

  /** The next `times` requests of this operation (`*`: of any), after `skip` that go well. */
  plan(operation: string, fault: Fault, times = 1, skip = 0): void {
    this.#planned.push({ operation, fault, left: times, skip });
  }

  clear(): void {
    this.#planned = [];
  }

  take(operation: string): Fault | undefined {
    const found = this.#planned.find(
      (planned) => planned.left > 0 && (planned.operation === operation || planned.operation === '*'),
    );
    if (found === undefined) return undefined;
    found.skip -= 1;
    if (found.skip >= 0) return undefined;
    found.left -= 1;
    return found.fault;
  }
}
