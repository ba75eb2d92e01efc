import { Link } from '../../shell/link.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ingestCommand } from '../reference/commands.ts';

export function IngestEmpty() {
  return (
    <>
      <EmptyState
        title="No partner has sent anything yet"
        action={<Link to="/console/keys">Make an Ingest key</Link>}
      >
        A partner appears with its first request. This sends one unit of measure:
      </EmptyState>
      <CodeBlock text={ingestCommand()} what="the command" />
    </>
  );
}
