import { create } from 'zustand';
import type { ProjectPresence } from '#bulkfill/operator-contract.ts';
import { call, callJson } from '../api/operator-client.ts';
import { ServerRefusal } from '../api/server-refusal.ts';
import { newId } from '../drafts/new-id.ts';
import { useEditor } from '../editor/editor-store.ts';
import { useWork } from '../project/work-store.ts';
import { useSession } from '../shell/session.ts';
import { deviceWords } from '../ui/device-words.ts';
import { isLibraryId, type ProjectPlace, presenceUrl } from './library-api.ts';

/** A tab that has not reported for three times as long is gone. */
const EVERY_MS = 15_000;

interface PresenceState {
  /** Other tabs that have the project open. */
  readonly others: ProjectPresence['others'];
  /** A version that was saved since the one on the screen was loaded. */
  readonly newer: number | null;
}

const ALONE: PresenceState = { others: [], newer: null };
export const usePresence = create<PresenceState>(() => ALONE);

const tab = newId();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Where this tab was last reported. */
let reported: ProjectPlace | null = null;
let watching = false;

/**
 * Reports to the server that this tab has a project of the library open, and reads who else has. A hidden page reports nothing.
 * Later calls do nothing.
 */
export function reportPresence(): void {
  if (watching) return;
  watching = true;
  useEditor.subscribe((now, before) => {
    if (now.project?.id !== before.project?.id) report();
  });
  useWork.subscribe((now, before) => {
    if (now.library !== before.library) report();
  });
  useSession.subscribe((now, before) => {
    if (now.status !== before.status) report();
  });
  window.addEventListener('pagehide', leave);
  // A page that returns from the browser's cache continues.
  window.addEventListener('pageshow', report);
  document.addEventListener('visibilitychange', report);
  report();
}

/** The open project, if it is in the library and the operator may design in it. */
export function placeNow(): ProjectPlace | null {
  const { project } = useEditor.getState();
  const { library } = useWork.getState();
  const { status, may } = useSession.getState();
  if (project === null || library === null || !isLibraryId(project.id)) return null;
  if (status !== 'in' || !may.includes('design')) return null;
  return { account: library.account, id: project.id };
}

const isSame = (a: ProjectPlace | null, b: ProjectPlace | null) =>
  a?.id === b?.id && a?.account === b?.account;

function report(): void {
  clearTimeout(timer);
  const place = placeNow();
  if (reported !== null && !isSame(reported, place)) leave();
  if (place !== null && document.visibilityState === 'visible') void send(place);
}

async function send(place: ProjectPlace): Promise<void> {
  reported = place;
  const seen = await callJson<ProjectPresence>(presenceUrl(place), {
    method: 'POST',
    account: place.account,
    json: { tab, device: deviceWords(navigator.userAgent) },
  }).catch((error: unknown) => (error instanceof ServerRefusal && error.status < 500 ? 'refused' : null));
  if (!isSame(reported, place)) return;
  if (seen === null || seen === 'refused') usePresence.setState(ALONE);
  else {
    const version = useWork.getState().library?.version ?? seen.version;
    usePresence.setState({ others: seen.others, newer: seen.version > version ? seen.version : null });
  }
  clearTimeout(timer);
  // The project was deleted, or the operator lost the right to it: a save says so.
  if (seen !== 'refused' && document.visibilityState === 'visible') timer = setTimeout(report, EVERY_MS);
}

function leave(): void {
  clearTimeout(timer);
  usePresence.setState(ALONE);
  if (reported === null) return;
  const place = reported;
  reported = null;
  call(`${presenceUrl(place)}/${tab}`, {
    method: 'DELETE',
    account: place.account,
    keepalive: true,
  }).catch(() => undefined);
}
