import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../shell/copy-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { say, tell } from '../../ui/messages.tsx';

const SHOWN_MS = 2_000;

/** Copies a text; `what` finishes the sentence "Copy …". */
export function CopyButton({ text, what, words = false }: { text: string; what: string; words?: boolean }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    if (await copyText(text)) {
      setDone(true);
      say(`Copied ${what}`);
    } else tell('bad', 'This browser does not let the page copy. Select the text and copy it by hand.');
  };
  const icon = done ? <Check size={14} /> : <Copy size={14} />;
  if (words)
    return (
      <Button icon={icon} onClick={copy}>
        {done ? 'Copied' : `Copy ${what}`}
      </Button>
    );
  return (
    <IconButton label={`Copy ${what}`} onClick={copy}>
      {icon}
    </IconButton>
  );
}
