import type { DraftAnswer, SavedDraft, StoredDraft } from '#bulkfill/operator-contract.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { callJson } from '../api/operator-client.ts';
import type { RulerGuide } from '../core/guides/ruler-guides.ts';
import { newId } from '../drafts/new-id.ts';
import type { Project } from '../project/project.ts';
import { draftUrl, type ProjectPlace } from './library-api.ts';

/** What a draft on the server contains. Rows and pictures of rows stay in the browser. */
export interface DraftContent {
  readonly name: string;
  readonly layout: Layout;
  readonly guides: readonly RulerGuide[];
  /** The browser that stored it. */
  readonly browser: string;
}

/** Browsers limit the bodies of requests that go on after the page is closed to 64 KiB. */
const MAX_KEEPALIVE = 60_000;

export async function readServerDraft(place: ProjectPlace): Promise<StoredDraft | null> {
  return (await callJson<DraftAnswer>(draftUrl(place), { account: place.account })).draft;
}

/** Stores a draft over a revision, 0 if there is none. Rejected with 412 if the draft has another one. */
export async function writeServerDraft(
  place: ProjectPlace,
  over: { readonly revision: number; readonly base_version: number },
  content: DraftContent,
  /** Undefined: those of the revision before. */
  assets: Project['assets'] | undefined,
): Promise<number> {
  const json = { ...over, content, ...(assets !== undefined && { assets: encoded(assets) }) };
  // Always, because a page that is closed is still visible when it sends its last request.
  const keepalive = bytesOf(json) < MAX_KEEPALIVE;
  const { account } = place;
  const options = { method: 'PUT', account, json, keepalive } as const;
  return (await callJson<SavedDraft>(draftUrl(place), options)).revision;
}

const bytesOf = (json: unknown): number => new TextEncoder().encode(JSON.stringify(json)).length;

/** Deletes this revision of the draft. One that another browser has stored since stays. */
export const deleteServerDraft = (place: ProjectPlace, revision: number): Promise<void> =>
  callJson(draftUrl(place), {
    method: 'DELETE',
    account: place.account,
    query: { revision },
    keepalive: true,
  });

export const contentOf = ({ content }: StoredDraft): DraftContent => content as unknown as DraftContent;

const BROWSER_KEY = 'rowpress.browser';
/** Identifies this browser in the drafts that it stores: a local draft continues its own, and must not overwrite another. */
export function thisBrowser(): string {
  const id = localStorage.getItem(BROWSER_KEY) ?? newId();
  localStorage.setItem(BROWSER_KEY, id);
  return id;
}

function encoded(assets: Project['assets']): Record<string, string> {
  return Object.fromEntries(
    [...assets].map(([name, bytes]) => {
      let text = '';
      for (let start = 0; start < bytes.length; start += 0x8000)
        text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
      return [name, btoa(text)];
    }),
  );
}

export const assetsOf = ({ assets }: StoredDraft): Project['assets'] =>
  new Map(
    Object.entries(assets).map(([name, text]) => [
      name,
      Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
    ]),
  );
