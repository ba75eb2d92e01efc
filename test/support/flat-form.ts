import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { detectFields } from '../../web/src/core/detect/detect-fields.ts';
import type { Proposal } from '../../web/src/core/detect/proposal.ts';
import { marksOfPage } from '../../web/src/core/page-content/marks-of-page.ts';
import { pagesPdf } from './page-sources.ts';

const HEIGHT = 792;

/** Content operators of a flat form, in points from the top left of a Letter page. */
export const print = {
  text: (x: number, y: number, text: string, size = 10) =>
    `BT /F1 ${size} Tf ${x} ${HEIGHT - y} Td (${text.replaceAll(/[()\\]/g, '\\$&')}) Tj ET`,
  box: (x: number, y: number, width: number, height: number) =>
    `0.5 w ${x} ${HEIGHT - y - height} ${width} ${height} re S`,
  filled: (x: number, y: number, width: number, height: number, grey: number) =>
    `q ${grey} g ${x} ${HEIGHT - y - height} ${width} ${height} re f Q`,
  line: (x: number, y: number, toX: number, toY = y) =>
    `0.5 w ${x} ${HEIGHT - y} m ${toX} ${HEIGHT - toY} l S`,
  dotted: (x: number, y: number, toX: number) =>
    Array.from({ length: Math.floor((toX - x) / 3) }, (_, index) =>
      print.line(x + 3 * index, y, x + 3 * index + 1),
    ).join(' '),
  circle: (x: number, y: number, size: number) => {
    const [r, k] = [size / 2, (size / 2) * 0.5523];
    const [cx, cy] = [x + r, HEIGHT - y - r];
    return `0.5 w ${cx + r} ${cy} m ${cx + r} ${cy + k} ${cx + k} ${cy + r} ${cx} ${cy + r} c ${cx - k} ${cy + r} ${cx - r} ${cy + k} ${cx - r} ${cy} c ${cx - r} ${cy - k} ${cx - k} ${cy - r} ${cx} ${cy - r} c ${cx + k} ${cy - r} ${cx + r} ${cy - k} ${cx + r} ${cy} c h S`;
  },
};

/** A document of flat pages, each a list of content operators. */
export const flatForm = (...pages: readonly (readonly string[])[]): Uint8Array =>
  pagesPdf(pages.map((content) => ({ content: content.join('\n') })));

/** What the editor detects on the first page of a PDF. */
export async function detectedOn(pdf: Uint8Array): Promise<Proposal[]> {
  const task = getDocument({ data: Uint8Array.from(pdf), verbosity: 0 });
  const page = await (await task.promise).getPage(1);
  const proposals = detectFields(await marksOfPage(page, OPS), 1);
  await task.destroy();
  return proposals;
}
