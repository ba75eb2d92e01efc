import type { ApiKey } from '#console/contract/keys.ts';
import { May } from '../../shell/may.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Cell, type Column } from '../parts/data-table.tsx';
import { surfaceName } from '../parts/surfaces.ts';
import { Time } from '../parts/time.tsx';
import { KEY_TONES, REFUSAL_REASONS } from './api-key.ts';

/** Summarises what the key may do, and from which addresses. */
function allowedTo(key: ApiKey): string {
  return key.ip_ranges === null ? rightsOf(key) : `${rightsOf(key)} · from ${key.ip_ranges.join(', ')}`;
}

function rightsOf({ surface, scopes, partner, warehouses }: ApiKey): string {
  if (surface === 'subscribers')
    return scopes.length > 4 ? `${scopes.length} scopes` : scopes.join(', ') || 'no scopes';
  if (surface === 'ingest')
    return `${partner ?? '–'} · ${warehouses === null ? 'all warehouses' : warehouses.join(', ')}`;
  return ['fill documents', ...scopes.map((scope) => scope.replace(/^read:/, 'read '))].join(', ');
}

interface KeyActions {
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

export const keyColumns = ({ onRotate, onRevoke }: KeyActions): readonly Column<ApiKey>[] => [
  {
    title: 'Key',
    cell: (key) => <Cell main={key.name || 'Unnamed'} sub={<code>{key.id}</code>} />,
  },
  {
    title: 'State',
    cell: ({ state, replaced_by, expires_at, revoked_at }) => (
      <Cell
        main={
          <Badge tone={KEY_TONES[state]}>
            {state === 'live' && replaced_by !== null ? 'replaced' : state}
          </Badge>
        }
        sub={
          <>
            {revoked_at === null && expires_at !== null && (state === 'expired' ? 'expired ' : 'expires ')}
            <Time at={revoked_at ?? expires_at} none="no expiry" />
          </>
        }
      />
    ),
  },
  {
    title: 'Surface',
    cell: ({ surface, account }) => <Cell main={surfaceName(surface)} sub={account} />,
  },
  {
    title: 'Allowed',
    grow: true,
    cell: (key) => <span title={key.scopes.join(', ')}>{allowedTo(key)}</span>,
  },
  {
    title: 'Last used',
    align: 'end',
    cell: ({ last_used_at, last_refused: refused }) => (
      <Cell
        main={<Time at={last_used_at} none="never" />}
        sub={
          refused === null ? undefined : (
            <span
              title={`Last refused ${refused.at} from ${refused.address}: ${REFUSAL_REASONS[refused.reason] ?? refused.reason}`}
            >
              last refused <Time at={refused.at} /> ({refused.count}×)
            </span>
          )
        }
      />
    ),
  },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (key) =>
      key.state === 'live' && (
        <May need="manage">
          {key.replaced_by === null && (
            <Button aria-label={`Rotate ${key.name || key.id}`} onClick={() => onRotate(key)}>
              Rotate
            </Button>
          )}{' '}
          <Button look="danger" aria-label={`Revoke ${key.name || key.id}`} onClick={() => onRevoke(key)}>
            Revoke
          </Button>
        </May>
      ),
  },
];
