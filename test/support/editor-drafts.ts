import type { Page } from 'playwright-core';

/** The stored draft of the open project, without its source: called its work in `web/src/drafts/drafts.ts`. */
export function readDraftWork<Work>(page: Page): Promise<Work> {
  return page.evaluate(
    inDrafts('const asked = store.get(id + "/work"); asked.onsuccess = () => done(asked.result);'),
  );
}

/** The open project's entry on the start screen. */
export function readDraftSummary(page: Page): Promise<{ thumbnail: unknown }> {
  return page.evaluate(
    inDrafts(
      'const asked = store.get(id + "/summary"); asked.onsuccess = () => done({ thumbnail: asked.result.thumbnail });',
    ),
  );
}

/** The picture of the open project on the start screen, as text; null if it has none. */
export function readDraftThumbnail(page: Page): Promise<string | null> {
  return page.evaluate(
    inDrafts(
      'const asked = store.get(id + "/summary"); asked.onsuccess = () => done(asked.result.thumbnail?.text() ?? null);',
    ),
  );
}

/** Replaces the request key in the stored draft of the open project. */
export function writeDraftKey(page: Page, key: string): Promise<void> {
  return page.evaluate(
    inDrafts(`const asked = store.get(id + "/work");
      asked.onsuccess = () => {
        const work = asked.result;
        store.put({ ...work, request: { ...work.request, key: ${JSON.stringify(key)} } }, id + "/work").onsuccess =
          () => done(undefined);
      };`),
  );
}

const inDrafts = (body: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('rowpress');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const id = location.pathname.split('/').pop();
    const store = opening.result.transaction('drafts', 'readwrite').objectStore('drafts');
    const done = (value) => { opening.result.close(); resolve(value); };
    ${body}
  };
})`;
