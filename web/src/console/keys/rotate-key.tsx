import { useState } from 'react';
import type { ApiKey, CreatedKey, RotatedKey } from '#console/contract/keys.ts';
import { callJson } from '../../api/operator-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Refusal } from '../parts/refusal.tsx';
import { KeyShownOnce } from './key-shown-once.tsx';

const OVERLAPS = [
  [0, 'Ends now'],
  [1, '1 hour'],
  [24, '24 hours (default)'],
  [168, '7 days'],
  [720, '30 days'],
] as const;

/** Creates the successor of a key and shows it once; the old key works until the overlap ends. */
export function RotateKey({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRotated: () => void;
}) {
  const [hours, setHours] = useState('24');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<CreatedKey | undefined>();
  const rotate = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const json = { overlap_hours: Number(hours) };
      const path = `/keys/${encodeURIComponent(apiKey.id)}/rotate`;
      setMade(await callJson<RotatedKey>(path, { method: 'POST', json }));
      onRotated();
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined) return <KeyShownOnce made={made} onClose={onClose} />;
  return (
    <Dialog
      title="Rotate key"
      onClose={onClose}
      onSubmit={rotate}
      actions={
        <Button type="submit" look="primary" resting={busy}>
          Rotate key
        </Button>
      }
    >
      <p>
        A new key replaces <strong>{apiKey.name || apiKey.id}</strong> of {apiKey.account}, with the same
        rights and limits. The old key works until the overlap ends.
      </p>
      <SelectField label="Overlap" value={hours} onChange={(event) => setHours(event.target.value)}>
        {OVERLAPS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {refused !== undefined && <Refusal title="Key not rotated" error={refused} />}
    </Dialog>
  );
}
