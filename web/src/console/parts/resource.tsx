import type { ReactNode } from 'react';
import { Waiting } from '../../ui/waiting.tsx';
import { Refusal } from './refusal.tsx';
import type { Loaded } from './use-loaded.ts';

/** Data from the server: a spinner, an error, or `children` with the data. */
export function Resource<Data>({
  of,
  name,
  children,
}: {
  of: Loaded<Data>;
  /** `the job`: finishes the sentence "… could not be read". */
  name: string;
  children: (data: Data) => ReactNode;
}) {
  return (
    <>
      {of.error !== undefined && (
        <Refusal title={`${name} could not be loaded`} error={of.error} onRetry={of.reload} />
      )}
      {of.data === undefined && of.error === undefined && <Waiting />}
      {of.data !== undefined && children(of.data)}
    </>
  );
}
