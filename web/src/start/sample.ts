import type { Layout } from '#fill/package/layout-schema.ts';
import { createProject, readSource } from '../project/create-project.ts';
import { addressOf } from '../shell/base-path.ts';

/** The sample certificate of the product (scripts/make-sample.ts): a PDF, a layout and five rows. */
export async function openSample(): Promise<void> {
  const [pdf, layout, rows] = await Promise.all([
    fetchFile('certificate.pdf'),
    fetchFile('layout.json'),
    fetchFile('participants.csv'),
  ]);
  const read = await readSource(pdf, 'certificate.pdf');
  if (!read.ok) throw new Error(read.message);
  await createProject({
    name: 'Certificate',
    source: read.source,
    layout: JSON.parse(await layout.text()) as Layout,
    rows: { fileName: 'participants.csv', file: rows },
  });
}

async function fetchFile(name: string): Promise<Blob> {
  const answer = await fetch(addressOf(`/sample/${name}`));
  if (!answer.ok) throw new Error(`The sample could not be loaded (${answer.status}).`);
  return answer.blob();
}
