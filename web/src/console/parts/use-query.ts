import { useCallback } from 'react';
import { go, usePlace } from '../../shell/router.ts';

/** The filter of a screen, stored in its address, so that it survives a reload and can be shared as a link. */
export function useQuery<Name extends string>(
  names: readonly Name[],
): [Readonly<Record<Name, string>>, (name: Name, value: string) => void] {
  const { path, query } = usePlace();
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<
    Name,
    string
  >;
  const search = query.toString();
  const set = useCallback(
    (name: Name, value: string) => {
      const next = new URLSearchParams(search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      go(next.size === 0 ? path : `${path}?${next}`, { replace: true });
    },
    [path, search],
  );
  return [values, set];
}
