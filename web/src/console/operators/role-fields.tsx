import type { Role } from '#console/contract/access.ts';
import { useSession } from '../../shell/session.ts';
import { SelectField } from '../../ui/field.tsx';
import { hasAccount, ROLES } from './role.ts';

export interface ChosenRole {
  readonly role: Role;
  /** Empty until one is chosen. */
  readonly account: string;
}

/** Whether the choice is complete: a designer or runner needs an account. */
export const isComplete = ({ role, account }: ChosenRole): boolean => !hasAccount(role) || account !== '';

/** The members of a request that give this role. */
export const roleJson = ({ role, account }: ChosenRole) => ({ role, ...(hasAccount(role) && { account }) });

/** Chooses a role, and the account of a designer or runner. */
export function RoleFields({
  value,
  onChange,
}: {
  value: ChosenRole;
  onChange: (chosen: ChosenRole) => void;
}) {
  const accounts = useSession((session) => session.accounts);
  return (
    <>
      <SelectField
        label="Role"
        hint={ROLES.find(({ role }) => role === value.role)?.may}
        value={value.role}
        onChange={(event) => onChange({ ...value, role: event.target.value as Role })}
      >
        {ROLES.map(({ role, name }) => (
          <option key={role} value={role}>
            {name}
          </option>
        ))}
      </SelectField>
      {hasAccount(value.role) && (
        <SelectField
          label="Account"
          hint={accounts.length === 0 ? 'Create an account first, under Console, Accounts.' : undefined}
          value={value.account}
          onChange={(event) => onChange({ ...value, account: event.target.value })}
        >
          <option value="">Choose an account</option>
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
