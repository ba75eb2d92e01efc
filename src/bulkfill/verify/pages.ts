import { escapeHtml, page } from '#http/pages/page.ts';

export interface Verified {
  readonly id: string;
  readonly issued_on: string;
  readonly project: string | null;
}

/** Shown for the id of an issued document. */
export function verifiedPage({ id, issued_on, project }: Verified): string {
  const named = project === null ? '' : `\n<dt>Project</dt><dd>${escapeHtml(project)}</dd>`;
  return page({
    title: 'Document verified',
    body: `
<h1>Document verified</h1>
<p class="lead">A document with this id was issued here.</p>
<dl>
<dt>Issued on</dt><dd>${issued_on}</dd>${named}
<dt>Id</dt><dd><code>${id}</code></dd>
</dl>
<footer>This page does not show the content of the document. Ask the issuer if its content is in doubt.</footer>`,
  });
}

/** Shown for every other id. */
export function notVerifiedPage(): string {
  return page({
    title: 'Document not verified',
    body: `
<h1>Document not verified</h1>
<p class="lead">No document can be verified at this address. Check that the address is complete.</p>`,
  });
}
