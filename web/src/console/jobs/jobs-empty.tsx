import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { createJobCommand } from '../reference/commands.ts';

export function JobsEmpty({ filtered }: { filtered: boolean }) {
  if (filtered)
    return <EmptyState title="No job fits this filter">Take a part of it away to see more.</EmptyState>;
  return (
    <>
      <EmptyState title="No jobs yet" action={<Link to="/">Make one in the editor</Link>}>
        Fill a PDF in the editor and run it, or send the first job with a key of your own:
      </EmptyState>
      <CodeBlock text={createJobCommand()} what="the command" />
    </>
  );
}
