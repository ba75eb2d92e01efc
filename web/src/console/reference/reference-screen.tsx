import { ExternalLink } from 'lucide-react';
import { addressOf } from '../../shell/base-path.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { Page, Section } from '../parts/page.tsx';
import {
  createJobCommand,
  downloadCommand,
  healthCommand,
  ingestCommand,
  subscribersCommand,
} from './commands.ts';
import styles from './reference-screen.module.css';

const EXAMPLES = [
  { title: 'Bulk Fill: one filled PDF per row', text: createJobCommand, what: 'the command' },
  { title: 'Bulk Fill: read the job and download the ZIP', text: downloadCommand, what: 'the command' },
  { title: 'Subscribers: import a CSV', text: subscribersCommand, what: 'the command' },
  { title: 'Ingest: send items of a collection', text: ingestCommand, what: 'the command' },
  { title: 'Check that the server is running', text: healthCommand, what: 'the command' },
];

/** Links to the full reference, and commands to copy. */
export function ReferenceScreen() {
  return (
    <Page
      title="API reference"
      lead="The same request sent twice has one effect, on every surface. To run a command, set ROWPRESS_KEY to a key of its surface."
      actions={
        <>
          <a className={styles.link} href={addressOf('/openapi.json')} target="_blank" rel="noreferrer">
            OpenAPI document
          </a>
          <a className={styles.main} href={addressOf('/docs/api')} target="_blank" rel="noreferrer">
            Open the reference <ExternalLink size={14} aria-hidden="true" />
          </a>
        </>
      }
    >
      {EXAMPLES.map(({ title, text, what }) => (
        <Section key={title} title={title}>
          <CodeBlock text={text()} what={what} />
        </Section>
      ))}
    </Page>
  );
}
