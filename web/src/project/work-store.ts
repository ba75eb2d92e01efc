import { create } from 'zustand';
import type { Layout } from '#fill/package/layout-schema.ts';
import { NO_GUIDES, type RulerGuide } from '../core/guides/ruler-guides.ts';
import type { RunRecord } from '../core/runs/run-record.ts';
import type { PictureSet } from '../data/pictures/picture-set.ts';
import type { DraftWork } from '../drafts/drafts.ts';
import { DEFAULT_RUN, type RunChoices } from '../run/run-choices.ts';
import type { LibraryLink, Project, RowsFile } from './project.ts';

/** State of the open project besides its layout: the rows file and the choices for the next run. */
interface WorkState {
  readonly rowsFile: RowsFile | null;
  /** Pictures that cells name. They are sent with a run and are not part of the package. */
  readonly pictures: PictureSet | null;
  readonly run: RunChoices;
  readonly request: DraftWork['request'];
  /** Runs of the project, newest first. */
  readonly runs: readonly RunRecord[];
  readonly thumbnail: Blob | null;
  /** Null until the project is saved on the server. */
  readonly library: LibraryLink | null;
  /** Lines that the user put on the pages. They are a part of the draft, never of the layout. */
  readonly guides: readonly RulerGuide[];
  /** The package of the last save and its inputs, so that a run need not seal again. */
  readonly sealed: SealedPackage | null;
  /** Whether the draft in this browser is up to date. */
  readonly draft: 'kept' | 'waiting' | 'failed';
}

export interface SealedPackage {
  /** The package contains the project's name. */
  readonly name: string;
  readonly layout: Layout;
  readonly assets: Project['assets'];
  readonly source: Project['source'];
  readonly bytes: Blob;
}

export const NO_WORK: WorkState = {
  rowsFile: null,
  pictures: null,
  run: DEFAULT_RUN,
  request: null,
  runs: [],
  thumbnail: null,
  library: null,
  guides: NO_GUIDES,
  sealed: null,
  draft: 'kept',
};

export const useWork = create<WorkState>(() => NO_WORK);

export function chooseRun(change: Partial<RunChoices>): void {
  useWork.setState(({ run }) => ({ run: { ...run, ...change } }));
}
