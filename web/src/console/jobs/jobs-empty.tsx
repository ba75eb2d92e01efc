import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { createJobCommand } from '../reference/commands.ts';

export function JobsEmpty({ filtered }: { filtered: boolean }) {
  if (filtered)
    return <EmptyState title="No jobs match these filters">Clear a filter to see more.</EmptyState>;
  return (
    <>
      <EmptyState title="No jobs yet" action={<Link to="/">Create a job in the editor</Link>}>
        Fill a PDF in the editor and run it, or create a job with an API key:
      </EmptyState>
      <CodeBlock text={createJobCommand()} what="the command" />
    </>
  );
}
