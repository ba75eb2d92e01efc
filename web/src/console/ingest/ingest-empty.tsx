import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ingestCommand } from '../reference/commands.ts';

export function IngestEmpty() {
  return (
    <>
      <EmptyState title="No partners yet" action={<Link to="/console/keys">Create an Ingest key</Link>}>
        A partner appears after its first request. This command sends one unit of measure:
      </EmptyState>
      <CodeBlock text={ingestCommand()} what="the command" />
    </>
  );
}
