import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Third-party programs that must agree with our output, from the operating system's packages (`.ci/run` installs them).
 * They only read our files. If they were installed for the run (`JUDGES=required`), a missing program is a failure,
 * not a reason to skip.
 */
export function missingJudges(...commands: string[]): string[] {
  return judged(commands.filter((command) => spawnSync('which', [command]).status !== 0));
}

/** Modules of the system's own Python, regardless of any other Python in PATH. */
export function missingPython(...modules: string[]): string[] {
  const isMissing = (module: string) =>
    spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status !== 0;
  return judged(modules.filter(isMissing).map((module) => `python3-${module}`));
}

function judged(missing: string[]): string[] {
  if (missing.length > 0 && process.env.JUDGES === 'required') {
    throw new Error(`judges are required, but not installed: ${missing.join(', ')}`);
  }
  return missing;
}

export class JudgeRoom {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'rowpress-judge-'));

  path(name: string): string {
    return path.join(this.folder, name);
  }

  put(name: string, bytes: Uint8Array | string): string {
    writeFileSync(this.path(name), bytes);
    return this.path(name);
  }

  read(name: string): Uint8Array {
    return readFileSync(this.path(name));
  }

  run(command: string, ...args: string[]): string {
    return execFileSync(command, args, {
      cwd: this.folder,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString('utf8');
  }

  /** Exit status and all output. */
  try(command: string, ...args: string[]): { readonly status: number; readonly said: string } {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, maxBuffer: 1 << 28 });
    return { status: status ?? -1, said: `${stdout}${stderr}` };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface FoundWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
}

/** Words of a page with their displayed positions, from poppler. It ignores UserUnit. */
export function popplerWords(room: JudgeRoom, file: string, page = 1): FoundWord[] {
  const html = room.run('pdftotext', '-bbox', '-cropbox', '-f', String(page), '-l', String(page), file, '-');
  return [...html.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)"[^>]*>([^<]*)<\/word>/g)].map((match) => ({
    left: Number(match[1]),
    top: Number(match[2]),
    text: match[3] ?? '',
  }));
}

/** Lines of a page with their displayed positions, from MuPDF. */
export function mupdfLines(room: JudgeRoom, file: string, page = 1): FoundWord[] {
  const xml = room.run('mutool', 'draw', '-q', '-F', 'stext', file, String(page));
  return [...xml.matchAll(/<line bbox="([-\d.]+) ([-\d.]+)[^>]*>(.*?)<\/line>/gs)].map((match) => ({
    left: Number(match[1]),
    top: Number(match[2]),
    text: [...(match[3] ?? '').matchAll(/ c="([^"]*)"/g)].map(([, character]) => character).join(''),
  }));
}

/**
 * Link targets of each page, from MuPDF: a page (from 0) or an address. MuPDF omits links without a target.
 * The address is a property of a link in older versions and a method in newer ones.
 */
export function mupdfLinks(room: JudgeRoom, file: string): (number | string)[][] {
  room.put(
    'links.js',
    `var doc = new Document(scriptArgs[0]); var pages = [];
     for (var at = 0; at < doc.countPages(); at += 1)
       pages.push(doc.loadPage(at).getLinks().map(function (link) { return link.getURI ? link.getURI() : link.uri; }));
     print(JSON.stringify(pages));`,
  );
  const pages: string[][] = JSON.parse(room.run('mutool', 'run', 'links.js', file));
  return pages.map((links) =>
    links.map((uri) => {
      const page = /^#page=(\d+)/.exec(uri)?.[1];
      return page === undefined ? uri : Number(page) - 1;
    }),
  );
}
