import { type ReactNode, useRef } from 'react';
import { Button } from '../ui/button.tsx';

interface FileButtonProps {
  readonly accept: string;
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly multiple?: boolean;
  readonly look?: 'plain' | 'primary' | 'quiet';
  readonly icon?: ReactNode;
}

/** A button that opens the browser's file dialog. */
export function FileButton({
  accept,
  label,
  onFiles,
  multiple = false,
  look = 'plain',
  icon,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look={look} icon={icon} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
