import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#console/contract/keys.ts';
import type { Page as ListPage } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { May } from '../../shell/may.tsx';
import { EmptyState } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountFilter, ChoiceFilter, Filters } from '../parts/filters.tsx';
import { OnlyOne } from '../parts/only-one.tsx';
import { Page } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { SURFACE_CHOICES } from '../parts/surfaces.ts';
import { usePages } from '../parts/use-pages.ts';
import { useQuery } from '../parts/use-query.ts';
import { CreateKey } from './create-key.tsx';
import { ExpiringNotice } from './expiring-notice.tsx';
import { keyColumns } from './key-columns.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';

/** API keys of all accounts. */
export function KeysScreen() {
  const [filter, setFilter] = useQuery(['surface', 'account', 'key']);
  const [changes, setChanges] = useState(0);
  const [creating, setCreating] = useState(false);
  const [rotating, setRotating] = useState<ApiKey | undefined>();
  const [revoking, setRevoking] = useState<ApiKey | undefined>();
  const pages = usePages<ApiKey>(JSON.stringify(filter), (cursor, signal) =>
    callJson<ListPage<ApiKey>>('/keys', { query: { ...filter, cursor, limit: 100 }, signal }),
  );
  const reload = () => {
    pages.reload();
    setChanges((count) => count + 1);
  };
  return (
    <Page
      title="Keys"
      lead="Programs call the three surfaces with keys. The server stores only a hash, so a key is shown once, when you create it."
      actions={
        <May need="manage">
          <Button look="primary" icon={<Plus size={15} />} onClick={() => setCreating(true)}>
            Create key
          </Button>
        </May>
      }
    >
      <ExpiringNotice version={changes} />
      <Filters>
        <ChoiceFilter
          label="Surface"
          all="All surfaces"
          value={filter.surface}
          choices={SURFACE_CHOICES}
          onChoose={(value) => setFilter('surface', value)}
        />
        <AccountFilter value={filter.account} onChoose={(value) => setFilter('account', value)} />
      </Filters>
      {filter.key !== '' && <OnlyOne what="key" all="Show all keys" to="/console/keys" />}
      <PagedTable
        label="Keys"
        pages={pages}
        columns={keyColumns({ onRotate: setRotating, onRevoke: setRevoking })}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title="No keys"
            action={
              <May need="manage">
                <Button onClick={() => setCreating(true)}>Create a key</Button>
              </May>
            }
          >
            A program needs a key to call the API. You can also run rowpress keys create.
          </EmptyState>
        }
      />
      {creating && <CreateKey onClose={() => setCreating(false)} onCreated={reload} />}
      {rotating !== undefined && (
        <RotateKey apiKey={rotating} onClose={() => setRotating(undefined)} onRotated={reload} />
      )}
      {revoking !== undefined && (
        <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={reload} />
      )}
    </Page>
  );
}
