import type { JudgeRoom } from './judges.ts';

/** A piece of text with the centre of its box, in points from the top-left corner of the displayed page. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

type TextReader = (room: JudgeRoom, file: string, pages: number) => PlacedText[][];

/** Texts of the first pages in reading order: words from poppler, characters from MuPDF. */
export const TEXT_READERS: Readonly<Record<'poppler' | 'MuPDF', TextReader>> = {
  poppler: (room, file, pages) => {
    const html = room.run('pdftotext', '-bbox', '-cropbox', '-l', String(pages), file, '-');
    return html
      .split('<page ')
      .slice(1)
      .map((page) =>
        found(page, /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g),
      );
  },
  MuPDF: (room, file, pages) => {
    const xml = room.run('mutool', 'draw', '-q', '-F', 'stext', file, `1-${pages}`);
    return xml
      .split('<page ')
      .slice(1)
      .map((page) =>
        found(page, /<char quad="([-\d.]+) ([-\d.]+) [-\d. ]+? ([-\d.]+) ([-\d.]+)"[^>]* c="([^"]*)"/g),
      );
  },
};

function found(page: string, pattern: RegExp): PlacedText[] {
  return [...page.matchAll(pattern)].map(([, x1, y1, x2, y2, text = '']) => ({
    text,
    x: (Number(x1) + Number(x2)) / 2,
    y: (Number(y1) + Number(y2)) / 2,
  }));
}
