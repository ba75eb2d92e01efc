import type { Operator } from '#console/contract/operators.ts';
import type { PendingLink } from '#console/contract/session.ts';
import { May } from '../../shell/may.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Time } from '../parts/time.tsx';
import styles from './operators-screen.module.css';
import { roleName } from './role.ts';

/** A row of the table: an operator, or someone who is invited and has not signed in yet. */
export type Person =
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'invited'; readonly link: PendingLink };

export interface OperatorActions {
  onRole(operator: Operator): void;
  onLink(operator: Operator): void;
  onRemove(operator: Operator): void;
  onWithdraw(link: PendingLink): void;
}

/** Operators first, then pending invitations. */
export function peopleOf(operators: readonly Operator[], links: readonly PendingLink[]): readonly Person[] {
  return [
    ...operators.map((operator) => ({ kind: 'operator' as const, operator })),
    ...links.filter(isInvitation).map((link) => ({ kind: 'invited' as const, link })),
  ];
}

export const isInvitation = ({ kind }: PendingLink): boolean => kind === 'invitation';

export const personKey = (person: Person): string =>
  person.kind === 'operator' ? person.operator.id : person.link.id;

export const personColumns = (actions: OperatorActions): readonly Column<Person>[] => [
  {
    title: 'Person',
    grow: true,
    cell: (person) =>
      person.kind === 'operator' ? (
        <span className={styles.person}>
          <strong title={person.operator.name}>{person.operator.name}</strong>
          {person.operator.is_self && <Badge tone="accent">you</Badge>}
        </span>
      ) : (
        <span className={styles.person}>
          <strong title={person.link.for ?? undefined}>{person.link.for}</strong>
          <Badge>invited</Badge>
        </span>
      ),
  },
  {
    title: 'Role',
    cell: (person) => {
      const { role, account } = person.kind === 'operator' ? person.operator : person.link;
      return account === null ? roleName(role) : `${roleName(role)}, ${account.name}`;
    },
  },
  {
    title: 'Sessions',
    align: 'end',
    cell: (person) => (person.kind === 'operator' ? person.operator.sessions : '–'),
  },
  {
    title: 'Last seen',
    align: 'end',
    cell: (person) =>
      person.kind === 'operator' ? <Time at={person.operator.last_seen_at} none="never" /> : '–',
  },
  {
    title: 'Since',
    align: 'end',
    cell: (person) =>
      person.kind === 'operator' ? (
        <Time at={person.operator.created_at} />
      ) : (
        <>
          expires <Time at={person.link.expires_at} />
        </>
      ),
  },
  {
    title: 'Actions',
    hideTitle: true,
    align: 'end',
    cell: (person) => (
      <May need="manage">
        <PersonActions person={person} {...actions} />
      </May>
    ),
  },
];

function PersonActions({
  person,
  onRole,
  onLink,
  onRemove,
  onWithdraw,
}: OperatorActions & { person: Person }) {
  if (person.kind === 'invited')
    return (
      <Button
        look="danger"
        aria-label={`Withdraw the invitation of ${person.link.for}`}
        onClick={() => onWithdraw(person.link)}
      >
        Withdraw
      </Button>
    );
  const { operator } = person;
  return (
    <>
      <Button aria-label={`Change role of ${operator.name}`} onClick={() => onRole(operator)}>
        Change role
      </Button>{' '}
      <Button aria-label={`Create link for ${operator.name}`} onClick={() => onLink(operator)}>
        Create link
      </Button>{' '}
      <Button look="danger" aria-label={`Remove ${operator.name}`} onClick={() => onRemove(operator)}>
        Remove
      </Button>
    </>
  );
}
