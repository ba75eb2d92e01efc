import { escapeHtml } from './site-page.ts';

/** What a language's code consists of. The first alternative that matches at a position wins. */
const LANGUAGES: Readonly<Record<string, RegExp>> = {
  sh: /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:\\.|[^"\\])*"|'[^']*')|(?<name>(?<=^|\s|\$)[A-Z][A-Z0-9_]+(?==)|\$\{?[A-Za-z_]\w*\}?)|(?<keyword>(?<=\s)--?[A-Za-z][\w-]*)/gm,
  json: /(?<name>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<number>-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b)/gm,
  ts: /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<keyword>\b(?:import|export|from|const|let|function|return|if|else|for|of|await|async|new|throw|type|interface|readonly)\b)|(?<number>\b\d[\d_.]*\b)/gm,
  python:
    /(?<comment>#.*)|(?<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<keyword>\b(?:import|from|def|return|if|else|for|in|with|as|not|and|or|class|raise|print)\b)|(?<number>\b\d[\d_.]*\b)/gm,
  nginx: /(?<comment>#.*)|(?<string>"[^"]*"|'[^']*')|(?<keyword>^\s*[a-z_]+)|(?<name>\$\w+)/gm,
  ini: /(?<comment>^[#;].*)|(?<keyword>^\[.*\]$)|(?<name>^[A-Za-z]+(?==))/gm,
};
const ALIASES: Readonly<Record<string, string>> = {
  bash: 'sh',
  shell: 'sh',
  js: 'ts',
  javascript: 'ts',
  typescript: 'ts',
  py: 'python',
  yaml: 'sh',
};

/** Marks comments, strings, names and numbers of code in a language that it knows. */
export function highlight(code: string, language: string | undefined): string {
  const pattern = LANGUAGES[ALIASES[language ?? ''] ?? language ?? ''];
  if (pattern === undefined) return escapeHtml(code);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['name'];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="c-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
