import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../shell/copy-text.ts';
import { IconButton } from '../ui/button.tsx';
import { say, tell } from '../ui/messages.tsx';

const SHOWN_MS = 1_500;

export function CopyButton({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) {
      tell('bad', 'The browser did not let the text be copied. Select it and copy it by hand.');
      return;
    }
    say('Copied');
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <IconButton label={label} onClick={() => void copy()}>
      {copied ? <Check size={15} /> : <Copy size={15} />}
    </IconButton>
  );
}
