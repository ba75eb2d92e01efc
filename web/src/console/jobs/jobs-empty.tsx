import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { createJobCommand } from '../reference/commands.ts';

export const SEARCH_HELP =
  'A job id, shortened or at least 4 characters of its beginning or end. The beginning of a request id, request key or error code. Part of an error message.';

export function JobsEmpty({ filtered, searched }: { filtered: boolean; searched: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No jobs match these filters">
        Clear a filter to see more.{searched && ` You can search for: ${SEARCH_HELP}`}
      </EmptyState>
    );
  return (
    <>
      <EmptyState title="No jobs yet" action={<Link to="/">Create a job in the editor</Link>}>
        Fill a PDF in the editor and run it, or create a job with an API key:
      </EmptyState>
      <CodeBlock text={createJobCommand()} what="the command" />
    </>
  );
}
