import { createHash } from 'node:crypto';

/**
 * The layout of the server's own small pages: one file each, without scripts and without requests to other servers. The style is
 * inline and allowed by its hash, so that the policy can forbid everything else.
 */
const STYLE = `
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #dfe2e6; --paper: #fcfcfd; --accent: #0b68cb; --code: #f0f1f4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaed; --soft: #a3a8b0; --line: #34383f; --paper: #16181c; --accent: #70b8ff; --code: #22262c; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 4rem 1.5rem; }
main.wide { max-width: 72rem; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; margin: 0 0 0.5rem; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
p { margin: 0 0 1rem; }
.lead { font-size: 1.15rem; color: var(--soft); }
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--code); border-radius: 8px; padding: 0.9rem 1.1rem; overflow-x: auto; margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5rem 1.5rem; margin: 0; }
dt, dd { margin: 0; }
dd { color: var(--soft); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: 0.95rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
th:nth-child(1) { width: 36%; } th:nth-child(2) { width: 10%; } th:nth-child(4) { width: 8%; }
td { overflow-wrap: anywhere; }
tr:target { background: var(--code); }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: 0.9rem; }
@media (max-width: 32rem) { main { padding: 2rem 1.25rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 0.75rem; } }
`;

/** Three rows on one page. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b68cb"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>';

export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function page({ title, body, wide = false }: { title: string; body: string; wide?: boolean }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${STYLE}</style>
</head>
<body><main${wide ? ' class="wide"' : ''}>
${body}
</main></body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
