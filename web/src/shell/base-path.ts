/** The server writes its mount path into `<base>`; every address in the app starts from there. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** `/console/jobs` → `/mounted/console/jobs`. */
export const addressOf = (path: string): string => `${basePath}${path}`;
