import { useState } from 'react';
import type { CreatedKey, KeyOptions } from '#console/contract/keys.ts';
import { callJson } from '../../api/operator-client.ts';
import { useSession } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { aboutField, Refusal } from '../parts/refusal.tsx';
import { Resource } from '../parts/resource.tsx';
import { surfaceName } from '../parts/surfaces.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type KeyForm, keyOrder } from './key-order.ts';
import { KeyShownOnce } from './key-shown-once.tsx';
import { OptionalScopes } from './optional-scopes.tsx';
import { ScopeChoice } from './scope-choice.tsx';

/** Fields that show their own errors. */
const TOLD_BESIDE = ['name', 'partner', 'warehouses', 'ip_ranges'];

/** Creates a key and shows it once. */
export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const options = useLoaded('options', (signal) => callJson<KeyOptions>('/keys/options', { signal }));
  const { accounts, account } = useSession();
  const [form, setForm] = useState<KeyForm>({
    surface: 'bulkfill',
    account: account ?? '',
    name: '',
    days: '',
    scopes: undefined,
    partner: '',
    warehouses: '',
    ipRanges: '',
  });
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  const [made, setMade] = useState<CreatedKey | undefined>();
  const change = (part: Partial<KeyForm>) => setForm((before) => ({ ...before, ...part }));
  const kind = options.data?.surfaces.find(({ name }) => name === form.surface);
  const create = async () => {
    setBusy(true);
    setRefused(undefined);
    try {
      const json = keyOrder(form, kind?.partnered ?? false);
      setMade(await callJson<CreatedKey>('/keys', { method: 'POST', json }));
      onCreated();
    } catch (error) {
      setRefused(error);
    }
    setBusy(false);
  };
  if (made !== undefined) return <KeyShownOnce made={made} onClose={onClose} />;
  return (
    <Dialog
      title="Create key"
      onClose={onClose}
      onSubmit={create}
      actions={
        <Button
          type="submit"
          look="primary"
          resting={busy}
          disabled={form.account === '' || form.scopes?.length === 0}
        >
          Create key
        </Button>
      }
    >
      <Resource of={options} name="What keys can be">
        {({ surfaces, lifetimes }) => (
          <>
            <TextField
              label="Name"
              hint="For example the name of the program that uses it."
              placeholder="Night batch"
              error={aboutField(refused, 'name')}
              value={form.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <SelectField
              label="Surface"
              value={form.surface}
              onChange={(event) => change({ surface: event.target.value, scopes: undefined })}
            >
              {surfaces.map(({ name }) => (
                <option key={name} value={name}>
                  {surfaceName(name)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Account"
              hint={
                accounts.length === 0 ? 'There are no accounts yet. Create one under Accounts.' : undefined
              }
              value={form.account}
              onChange={(event) => change({ account: event.target.value })}
            >
              {form.account === '' && accounts.length > 0 && <option value="">Choose an account</option>}
              {accounts.map(({ id, name }) => (
                <option key={id}>{name}</option>
              ))}
            </SelectField>
            <SelectField
              label="Lifetime"
              value={form.days}
              onChange={(event) => change({ days: event.target.value })}
            >
              <option value="">
                {kind?.default_days == null ? 'Does not expire' : `${kind.default_days} days (default)`}
              </option>
              {lifetimes.map((days) => (
                <option key={days} value={days}>
                  {days} days
                </option>
              ))}
            </SelectField>
            {kind?.partnered && (
              <>
                <TextField
                  label="Partner"
                  placeholder={form.account}
                  hint="Empty: the name of the account."
                  error={aboutField(refused, 'partner')}
                  value={form.partner}
                  onChange={(event) => change({ partner: event.target.value })}
                />
                <TextField
                  label="Warehouses"
                  placeholder="W1, W2"
                  hint="Separated by commas. Empty: all warehouses."
                  error={aboutField(refused, 'warehouses')}
                  value={form.warehouses}
                  onChange={(event) => change({ warehouses: event.target.value })}
                />
              </>
            )}
            <TextField
              label="IP ranges"
              placeholder="10.0.0.0/8, 2001:db8::/32"
              hint="Separated by commas. Empty: the key works from anywhere."
              error={aboutField(refused, 'ip_ranges')}
              value={form.ipRanges}
              onChange={(event) => change({ ipRanges: event.target.value })}
            />
            {kind !== undefined && kind.scopes.length > 0 && (
              <ScopeChoice all={kind.scopes} chosen={form.scopes} onChange={(scopes) => change({ scopes })} />
            )}
            {kind !== undefined && kind.optional_scopes.length > 0 && (
              <OptionalScopes
                all={kind.optional_scopes}
                chosen={form.scopes ?? []}
                onChange={(scopes) => change({ scopes: scopes.length === 0 ? undefined : scopes })}
              />
            )}
          </>
        )}
      </Resource>
      {refused !== undefined && TOLD_BESIDE.every((field) => aboutField(refused, field) === undefined) && (
        <Refusal title="Key not created" error={refused} />
      )}
    </Dialog>
  );
}
