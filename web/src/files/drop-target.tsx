import { type DragEvent, type ReactNode, useState } from 'react';
import type { PickedFile } from '../data/pictures/read-pictures.ts';
import { tellError } from '../ui/messages.tsx';
import styles from './drop-target.module.css';
import { droppedFiles } from './dropped-files.ts';

interface DropTargetProps {
  readonly label: string;
  readonly onFiles: (files: readonly PickedFile[]) => void;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** An area that accepts dropped files. Keyboard users use the file button inside it. */
export function DropTarget({ label, onFiles, className = '', children }: DropTargetProps) {
  const [over, setOver] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  return (
    <section
      aria-label={label}
      className={`${styles.target} ${over ? styles.over : ''} ${className}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        droppedFiles(event.dataTransfer).then(onFiles, tellError);
      }}
    >
      {children}
    </section>
  );
}
