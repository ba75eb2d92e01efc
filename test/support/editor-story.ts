import type { Download, Page } from 'playwright-core';

/** User actions in the editor, addressed by on-screen text. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

const asUpload = ({ name, bytes }: GivenFile) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

export async function chooseFiles(page: Page, ...files: readonly GivenFile[]): Promise<void> {
  await page.locator('main input[type=file]').first().setInputFiles(files.map(asUpload));
}

/** Drops a PDF (and rows) on the start screen and opens its canvas. */
export async function openProject(page: Page, url: string, ...files: readonly GivenFile[]): Promise<void> {
  await page.goto(url);
  await chooseFiles(page, ...files);
  await page
    .getByRole('button', { name: /Place fields myself|Open in the editor/ })
    .first()
    .click();
  await page.locator('[data-page="1"] canvas').waitFor();
}

/** Downloads the open project as a package. */
export async function exportPackage(page: Page): Promise<Download> {
  await page.getByRole('button', { name: 'More ways to save' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export .doqlo' }).click(),
  ]);
  return file;
}

export const tab = (page: Page, name: 'Fields' | 'Data') => page.getByRole('tab', { name });

export async function showPreview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByTestId('sha256').waitFor();
}

/** Opens a row in the preview and returns the digest shown for it. */
export async function digestOfRow(page: Page, row: number): Promise<string> {
  const input = page.getByLabel('Row to show');
  await input.fill(String(row));
  await input.press('Enter');
  await page.getByRole('heading', { name: `Row ${row}`, exact: true }).waitFor();
  return (await page.getByTestId('sha256').textContent()) ?? '';
}

/** Rows of a certificate-like CSV with a header. */
export function csvRows(count: number, columns = 3): string {
  const header = [
    'Name',
    'Town',
    'Number',
    ...Array.from({ length: columns - 3 }, (_, index) => `Extra ${index + 1}`),
  ];
  const line = (row: number) =>
    header
      .map((name) =>
        name.startsWith('Extra')
          ? `${name.slice(6)}/${row}`
          : name === 'Number'
            ? `N-${row}`
            : `${name} of row ${row}`,
      )
      .join(',');
  return [header.join(','), ...Array.from({ length: count }, (_, index) => line(index + 1)), ''].join('\r\n');
}
