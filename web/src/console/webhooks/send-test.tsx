import { useState } from 'react';
import type { WebhookTest } from '#console/contract/deliveries.ts';
import { callJson } from '../../api/operator-client.ts';
import { Link } from '../../shell/link.tsx';
import { useSession } from '../../shell/session.ts';
import { Banner } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { say } from '../../ui/messages.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { formatDuration } from '../parts/format.ts';
import { Refusal } from '../parts/refusal.tsx';
import { answerOf } from './delivery-columns.tsx';

/** Sends a signed test event through the same guard as real events, and shows the receiver's response. */
export function SendTest({ onClose, onSent }: { onClose: () => void; onSent: () => void }) {
  const { accounts, account: first } = useSession();
  const [account, setAccount] = useState(first ?? '');
  const [surface, setSurface] = useState('bulkfill');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [answer, setAnswer] = useState<WebhookTest | undefined>();
  const send = async () => {
    setBusy(true);
    setRefused(undefined);
    setAnswer(undefined);
    try {
      const json = { account, surface, url, ...(secret !== '' && { secret }) };
      const told = await callJson<WebhookTest>('/webhook-tests', { method: 'POST', json });
      setAnswer(told);
      if (told.delivery.state === 'delivered') say('Test event delivered');
      onSent();
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title="Send test event"
      onClose={onClose}
      onSubmit={send}
      actions={
        <Button type="submit" look="primary" resting={busy} disabled={url === '' || account === ''}>
          {busy ? 'Sending…' : 'Send the test'}
        </Button>
      }
    >
      <TextField
        label="Receiver"
        type="url"
        placeholder="https://example.com/hooks"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField label="Account" value={account} onChange={(event) => setAccount(event.target.value)}>
        {account === '' && accounts.length > 0 && <option value="">Choose an account</option>}
        {accounts.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </SelectField>
      <SelectField
        label="Signed as by"
        hint="Each surface has its own signature header."
        value={surface}
        onChange={(event) => setSurface(event.target.value)}
      >
        <option value="bulkfill">Bulk Fill</option>
        <option value="subscribers">Subscribers</option>
        <option value="ingest">Ingest</option>
      </SelectField>
      <TextField
        label="Secret"
        hint="Empty: one is made for this test and shown."
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
      />
      {refused !== undefined && <Refusal title="The test was not sent" error={refused} />}
      {answer !== undefined && <Outcome answer={answer} />}
    </Dialog>
  );
}

function Outcome({ answer: { attempt, delivery, secret } }: { answer: WebhookTest }) {
  const delivered = delivery.state === 'delivered';
  const took = attempt?.ms == null ? '' : ` after ${formatDuration(attempt.ms)}`;
  return (
    <>
      <Banner
        tone={delivered ? 'good' : 'bad'}
        title={delivered ? 'Test event delivered' : 'It did not arrive'}
      >
        {attempt === null ? 'No attempt was made' : answerOf(attempt.status, attempt.error)}
        {took}. <Link to={`/console/deliveries/${delivery.id}`}>See the attempt</Link>
      </Banner>
      {secret !== undefined && <CodeBlock text={secret} what="the secret" wrap />}
    </>
  );
}
