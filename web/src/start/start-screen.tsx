import { FolderOpen, Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DropTarget } from '../files/drop-target.tsx';
import { FileButton } from '../files/file-button.tsx';
import { Header } from '../shell/header.tsx';
import { useArrival } from '../shell/use-arrival.ts';
import { Banner } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { PdfFacts } from './pdf-facts.tsx';
import { ProjectLists } from './project-lists.tsx';
import { openSample } from './sample.ts';
import styles from './start-screen.module.css';
import { leaveStage, type StartStage, takeFiles, useStart } from './start-work.ts';

/** The start screen: drop a PDF or a saved package, open a recent project, or try the sample. */
export function StartScreen() {
  const stage = useStart((start) => start.stage);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = 'Rowpress';
    return leaveStage;
  }, []);
  useArrival(() => heading.current);
  return (
    <div className={styles.screen}>
      <Header />
      <main className={styles.main}>
        <div className={styles.hero}>
          <h1 ref={heading} className={styles.title}>
            One PDF, every row
          </h1>
          <p className={styles.lead}>
            Place fields on a PDF, connect them to the columns of a spreadsheet, and create one document per
            row.
          </p>
        </div>
        <Stage stage={stage} />
        <ProjectLists />
      </main>
    </div>
  );
}

function Stage({ stage }: { stage: StartStage }) {
  switch (stage.at) {
    case 'busy':
      return (
        <div className={styles.busy}>
          <Waiting label={stage.label} />
          <p>{stage.label}…</p>
        </div>
      );
    case 'pdf':
      return <PdfFacts stage={stage} />;
    case 'package':
      return <PackageNeedsPdf stage={stage} />;
    case 'refused':
      return (
        <>
          <Banner tone="bad" title={stage.title}>
            {stage.message} {stage.advice}
          </Banner>
          <DropCard />
        </>
      );
    case 'idle':
      return <DropCard />;
  }
}

const take = (files: readonly File[]) => void takeFiles(files).catch(tellError);

function DropCard() {
  const [opening, setOpening] = useState(false);
  const trySample = () => {
    setOpening(true);
    openSample().catch((error: unknown) => {
      setOpening(false);
      tellError(error);
    });
  };
  return (
    <DropTarget
      label="Open files"
      onFiles={(dropped) => take(dropped.map(({ file }) => file))}
      className={styles.drop}
    >
      <PageDrawing />
      <p className={styles.dropTitle}>Drop a PDF here</p>
      <p className={styles.dropNote}>
        You can also drop a saved project (.doqlo), and a CSV or Excel file with your rows.
      </p>
      <div className={styles.actions}>
        <FileButton
          look="primary"
          icon={<FolderOpen size={16} />}
          label="Choose files"
          accept=".pdf,.doqlo,.csv,.tsv,.txt,.xlsx,application/pdf"
          multiple
          onFiles={take}
        />
        <Button icon={<Sparkles size={16} />} onClick={trySample} resting={opening}>
          {opening ? 'Opening…' : 'Try the sample'}
        </Button>
      </div>
      <p className={styles.private}>Files stay in this browser until you save or run.</p>
    </DropTarget>
  );
}

/** Asks for the PDF of a package. A package contains none, so that it can be used with a newer version of the form. */
function PackageNeedsPdf({ stage }: { stage: Extract<StartStage, { at: 'package' }> }) {
  const { layout } = stage.package;
  const fields = layout.overlays.length + layout.form_fields.length;
  return (
    <DropTarget
      label="Open the PDF of this project"
      onFiles={(dropped) => take(dropped.map(({ file }) => file))}
      className={styles.drop}
    >
      <p className={styles.dropTitle}>{stage.name}</p>
      <p className={styles.dropNote}>
        The project is open: {fields} {fields === 1 ? 'field' : 'fields'}, made for a PDF of{' '}
        {layout.source?.page_count ?? '?'} {layout.source?.page_count === 1 ? 'page' : 'pages'}. A project
        file holds no PDF, so drop the one it belongs to, or a newer version of it.
      </p>
      <div className={styles.actions}>
        <FileButton look="primary" label="Choose the PDF" accept=".pdf,application/pdf" onFiles={take} />
        <Button look="quiet" onClick={leaveStage}>
          Not now
        </Button>
      </div>
    </DropTarget>
  );
}

function PageDrawing() {
  return (
    <svg viewBox="0 0 120 72" width="150" height="90" aria-hidden="true" className={styles.drawing}>
      <rect x="8" y="10" width="44" height="54" rx="4" className={styles.sheet} />
      <path d="M16 22h20M16 30h28M16 38h24" className={styles.rule} />
      <rect x="16" y="45" width="20" height="10" rx="2" className={styles.slot} />
      <path d="M58 37h10m-4-4 4 4-4 4" className={styles.arrow} />
      <rect x="82" y="6" width="32" height="40" rx="3" className={styles.sheet} />
      <rect x="78" y="14" width="32" height="40" rx="3" className={styles.sheet} />
      <rect x="74" y="22" width="32" height="42" rx="3" className={styles.sheet} />
      <path d="M80 32h14M80 38h20" className={styles.rule} />
      <rect x="80" y="46" width="18" height="8" rx="2" className={styles.filled} />
    </svg>
  );
}
