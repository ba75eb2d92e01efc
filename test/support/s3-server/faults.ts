/** Faults of a single request. */
export type Fault =
  /** Rejected before any effect. */
  | { readonly do: 'answer'; readonly status: number; readonly code: string }
  /** Executed, but the response is lost: the connection breaks instead. */
  | { readonly do: 'loseAnswer' }
  /** The connection breaks before any effect. */
  | { readonly do: 'reset' }
  /** Never responds. */
  | { readonly do: 'hang' }
  /** For a response body: breaks, hangs or is corrupted after this many bytes. */
  | { readonly do: 'cutBody' | 'hangBody' | 'spoilBody'; readonly after: number }
  /** Delays the request. */
  | { readonly do: 'wait'; readonly until: Promise<unknown> };

interface Planned {
  readonly operation: string;
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** Faults planned for upcoming requests, in FIFO order. */
export class FaultPlan {
  #planned: Planned[] = [];

  /** Applies to the next `times` requests of this operation (`*`: any), after `skip` that succeed. */
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
