import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';
import { say, tell } from './messages.tsx';

const SHOWN_MS = 2_000;

/** A button that copies a text. Its label is "Copy" followed by `what`; with `words` the button shows the label. */
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
    } else tell('bad', 'The browser blocked copying. Select the text and copy it yourself.');
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
