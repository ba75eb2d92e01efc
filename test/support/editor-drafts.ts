import type { Page } from 'playwright-core';

/** The stored draft of the open project, beside the source: what `web/src/drafts/drafts.ts` calls its work. */
export function readDraftWork<Work>(page: Page): Promise<Work> {
  return page.evaluate(
    inDrafts('const asked = store.get(id + "/work"); asked.onsuccess = () => done(asked.result);'),
  );
}

/** What the start screen shows of the open project. */
export function readDraftSummary(page: Page): Promise<{ thumbnail: unknown }> {
  return page.evaluate(
    inDrafts(
      'const asked = store.get(id + "/summary"); asked.onsuccess = () => done({ thumbnail: asked.result.thumbnail });',
    ),
  );
}

/** Puts another request key into the stored draft of the open project. */
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
