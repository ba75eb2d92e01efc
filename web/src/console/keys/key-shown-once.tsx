import type { CreatedKey } from '#console/contract/keys.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { createJobCommand } from '../reference/commands.ts';

export function KeyShownOnce({ made, onClose }: { made: CreatedKey; onClose: () => void }) {
  return (
    <Dialog
      title="Key created"
      onClose={onClose}
      actions={
        <>
          <CopyButton text={made.key} what="the key" words />
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Banner tone="warn" title="This key is shown once">
        Store it where your program reads its secrets. If you lose it, create another key.
      </Banner>
      <CodeBlock text={made.key} what="the key" wrap />
      {made.surface === 'bulkfill' && (
        <>
          <p>A first job with it:</p>
          <CodeBlock text={`ROWPRESS_KEY='${made.key}'\n${createJobCommand()}`} what="the command" />
        </>
      )}
    </Dialog>
  );
}
