import type { CreatedLink } from '#console/contract/operators.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { Time } from '../parts/time.tsx';

/** Shows a new link once. A path is completed with the address that this browser has opened. */
export function MadeLinkDialog({
  name,
  made,
  onClose,
}: {
  name: string;
  made: CreatedLink;
  onClose: () => void;
}) {
  const link = new URL(made.link, location.origin).href;
  return (
    <Dialog
      key="made"
      title={`Link for ${name} created`}
      onClose={onClose}
      actions={
        <>
          <CopyButton text={link} what="the link" words />
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <Banner tone="warn" title="Shown once, works once">
        The first person to open this link is signed in. It expires <Time at={made.expires_at} />.
      </Banner>
      <CodeBlock text={link} what="the link" wrap />
      {made.note !== undefined && (
        <p>
          The link uses the address that your browser has opened. If others reach this server under another
          address, set ROWPRESS_PUBLIC_URL to it.
        </p>
      )}
    </Dialog>
  );
}
