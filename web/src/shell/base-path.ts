/** The server writes the path it is mounted under into `<base>`; every address in the app starts from there. */
export const basePath = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** `/console/jobs` → `/mounted/console/jobs`. */
export const addressOf = (path: string): string => `${basePath}${path}`;
