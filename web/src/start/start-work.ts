import { create } from 'zustand';
import type { OpenedPackage } from '#fill/package/open-package.ts';
import { maxColumns } from '../api/server-settings.ts';
import { wantDetection } from '../detect/detect-store.ts';
import { engine, type OpenedSource } from '../engine/engine-client.ts';
import { sortFiles } from '../files/sort-files.ts';
import { createProject, stemOf } from '../project/create-project.ts';
import { fillableFields, formLayout } from '../project/form-layout.ts';
import type { Source } from '../project/project.ts';
import { adviceFor, readPackage } from '../project/read-package.ts';
import { tell } from '../ui/messages.tsx';

/** The stages between dropping a file and opening the editor. */
export type StartStage =
  | { readonly at: 'idle' }
  | { readonly at: 'busy'; readonly label: string }
  | {
      readonly at: 'refused';
      readonly title: string;
      readonly message: string;
      readonly advice?: string | undefined;
    }
  | {
      readonly at: 'pdf';
      readonly source: Source;
      readonly fonts: OpenedSource['fonts'];
      readonly rows: File | null;
    }
  | {
      readonly at: 'package';
      readonly package: OpenedPackage;
      readonly name: string;
      readonly rows: File | null;
    };

export const useStart = create<{ stage: StartStage }>(() => ({ stage: { at: 'idle' } }));
const show = (stage: StartStage) => useStart.setState({ stage });
export const leaveStage = () => show({ at: 'idle' });

/** Handles dropped files: a PDF, a package or both, with or without rows. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const { stage } = useStart.getState();
  const { pdf, package: packed, rows, other } = sortFiles(files);
  try {
    if (packed !== null) await takePackage(packed, pdf, rows);
    else if (pdf !== null && stage.at === 'package') await openOver(stage, pdf, rows ?? stage.rows);
    else if (pdf !== null) await takePdf(pdf, rows);
    else if (rows !== null && stage.at === 'pdf') show({ ...stage, rows });
    else refuseOthers(rows, other);
  } catch (error) {
    show({
      at: 'refused',
      title: 'Could not open the file',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}

async function takePdf(pdf: File, rows: File | null): Promise<void> {
  show({ at: 'busy', label: `Reading ${pdf.name}` });
  const read = await readPdf(pdf);
  if (read !== null) show({ at: 'pdf', ...read, rows });
}

async function takePackage(packed: File, pdf: File | null, rows: File | null): Promise<void> {
  show({ at: 'busy', label: `Opening ${packed.name}` });
  const opened = await readPackage(packed);
  if (!opened.ok) {
    show({
      at: 'refused',
      title: `${packed.name} cannot be opened`,
      message: opened.message,
      advice: adviceFor(opened.code),
    });
    return;
  }
  const stage = {
    at: 'package',
    package: opened.package,
    name: opened.package.layout.name || stemOf(packed.name),
    rows,
  } as const;
  if (pdf === null) show(stage);
  else await openOver(stage, pdf, rows);
}

async function openOver(
  { package: opened, name }: Extract<StartStage, { at: 'package' }>,
  pdf: File,
  rows: File | null,
): Promise<void> {
  show({ at: 'busy', label: `Reading ${pdf.name}` });
  const read = await readPdf(pdf);
  if (read === null) return;
  const { layout, assets } = opened;
  await createProject({ name, source: read.source, layout, assets, saved: true, ...withRows(rows) });
  leaveStage();
}

/** Starts a project from a PDF and opens the editor, optionally with the PDF's form fields. */
export async function startFromPdf(useForm: boolean, isSearched = false): Promise<void> {
  const { stage } = useStart.getState();
  if (stage.at !== 'pdf') return;
  const { source, rows } = stage;
  const name = stemOf(source.fileName);
  // A flat form with rows needs fields for its columns, so they are proposed without a further click.
  const isFlat = fillableFields(source.metadata).length === 0;
  if (isSearched || (isFlat && rows !== null)) wantDetection();
  const form = useForm ? formLayout(name, source.metadata, await maxColumns()) : null;
  await createProject({
    name,
    source,
    ...(form !== null && { layout: form.layout }),
    ...withRows(rows),
  });
  leaveStage();
  if (form !== null && form.leftOut.length > 0) {
    tell('bad', `${form.leftOut.length} form fields have no column, because a row has too few columns.`, {
      detail: form.leftOut.join(', '),
    });
  }
}

async function readPdf(pdf: File): Promise<{ source: Source; fonts: OpenedSource['fonts'] } | null> {
  const bytes = new Uint8Array(await pdf.arrayBuffer());
  const opened = await engine.openSource(bytes);
  if (opened.ok) {
    const { metadata, pages, fonts } = opened;
    return { source: { fileName: pdf.name, bytes, metadata, pages }, fonts };
  }
  show({
    at: 'refused',
    title: `${pdf.name} cannot be used`,
    message: opened.message,
    advice: adviceFor(opened.code),
  });
  return null;
}

const withRows = (rows: File | null) => (rows === null ? {} : { rows: { fileName: rows.name, file: rows } });

function refuseOthers(rows: File | null, other: readonly File[]): void {
  if (rows !== null) {
    show({
      at: 'refused',
      title: 'Open a PDF first',
      message: `${rows.name} holds rows. Drop the PDF that they fill, alone or together with the rows.`,
    });
    return;
  }
  const name = other[0]?.name ?? 'This file';
  show({
    at: 'refused',
    title: `${name} is not a file the editor knows`,
    message: 'Drop a PDF, or a saved project (.doqlo).',
  });
}
