import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `thorough` also returns V8's pooled pages to the system and drops compiled code that is not running. Without it, garbage is freed
 * for reuse, and pooled pages are returned after about eight seconds.
 */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' | 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects the garbage of this thread now. Takes some 50 ms on a server's heap. */
export function collectGarbage({ thorough = false } = {}): void {
  if (collect === undefined) {
    // Only contexts made after the flag was set have the function, so no other code sees it.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'major', execution: 'sync', flavor: thorough ? 'last-resort' : 'regular' });
}
