import type { UnfilledFields } from '../core/runs/unfilled-fields.ts';
import { useWork } from '../project/work-store.ts';
import { Banner } from '../ui/badge.tsx';

const NAMES_SHOWN = 5;

/** Says which fields nobody has given a value, and whether all documents would be the same. */
export function UnfilledNotice({ unfilled, total }: { unfilled: UnfilledFields; total: number }) {
  const file = useWork((work) => work.rowsFile?.fileName ?? 'the rows file');
  const { empty, samples, readsNoColumn } = unfilled;
  return (
    <>
      {readsNoColumn && (
        <Banner tone="bad" title={`No field uses a column of ${file}`}>
          All {total.toLocaleString()} documents would be the same.
        </Banner>
      )}
      {empty.length > 0 && (
        <Banner tone="warn" title={counted(empty.length, 'has no value', 'have no value')}>
          {listed(empty)}. {empty.length === 1 ? 'It stays' : 'They stay'} empty in every document.
        </Banner>
      )}
      {samples.length > 0 && (
        <Banner
          tone="warn"
          title={counted(samples.length, 'has its sample value', 'have their sample values')}
        >
          {listed(samples)}. Every document would show {samples.length === 1 ? 'it' : 'them'}.
        </Banner>
      )}
    </>
  );
}

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 field ${one}` : `${count.toLocaleString()} fields ${many}`;

function listed(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${rest > 0 ? ` and ${rest.toLocaleString()} more` : ''}`;
}
