/** The pages behind an upload link, for people. They contain no script and load no external resources. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a}
h1{font-size:1.4rem}form{display:grid;gap:1rem;margin:1.5rem 0}button{font:inherit;padding:.6rem 1.2rem;justify-self:start}
.problem{border-left:4px solid #b00020;padding-left:1rem}.done{border-left:4px solid #0a7d33;padding-left:1rem}
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}}`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
}

const FORM = `<form method="post" enctype="multipart/form-data">
<label>CSV or Excel file (XLSX), first row with column names<br><input type="file" name="file" accept=".csv,.tsv,.txt,.xlsx" required></label>
<button type="submit">Upload</button></form>`;

export function askPage(problem?: string): string {
  const said = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  return page('Upload a list of subscribers', `${said}${FORM}`);
}

export function donePage(rows: number, columns: number): string {
  return page(
    'File uploaded',
    `<p class="done" role="status">${rows} rows, ${columns} columns. You can close this page and continue the import where you started it.</p>
<p>Wrong file? You can replace it until the import starts.</p>${FORM}`,
  );
}

export function closedPage(reason: string): string {
  return page(
    'This upload link is no longer valid',
    `<p class="problem" role="alert">${escapeHtml(reason)}</p>`,
  );
}
