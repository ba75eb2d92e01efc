import { LogOut, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { ListedSession } from '#console/contract/session.ts';
import { May, useMay } from '../../shell/may.tsx';
import { go } from '../../shell/router.ts';
import { useSession } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { tellError } from '../../ui/messages.tsx';
import { Page } from '../parts/page.tsx';
import { useQuery } from '../parts/use-query.ts';
import { AuditLog } from './audit-list.tsx';
import { Passkeys } from './passkeys.tsx';
import { People } from './people.tsx';
import { ROLES, roleName } from './role.ts';
import { Sessions } from './sessions.tsx';
import { useAccess } from './use-access.ts';

/** People, their sessions and links, and the audit log. People without the right to see others see their own sessions. */
export function OperatorsScreen() {
  const signOut = useSession((session) => session.signOut);
  const [inviting, setInviting] = useState(false);
  const [filter] = useQuery(['operator']);
  const seesOthers = useMay('inspect');
  const sessions = useAccess<ListedSession>('/sessions');
  return (
    <Page
      title={seesOthers ? 'People' : 'Your access'}
      lead={<Lead seesOthers={seesOthers} />}
      actions={
        <>
          <Button icon={<LogOut size={15} />} onClick={() => signOut().then(() => go('/'), tellError)}>
            Sign out
          </Button>
          <May need="manage">
            <Button look="primary" icon={<UserPlus size={15} />} onClick={() => setInviting(true)}>
              Invite
            </Button>
          </May>
        </>
      }
    >
      <May need="inspect">
        <People
          only={filter.operator}
          inviting={inviting}
          onInvited={() => setInviting(false)}
          onRemoved={sessions.reload}
        />
      </May>
      <Passkeys operatorId={filter.operator || undefined} />
      <Sessions pages={sessions} operatorId={filter.operator || undefined} />
      <May need="inspect">
        <AuditLog />
      </May>
    </Page>
  );
}

function Lead({ seesOthers }: { seesOthers: boolean }) {
  const role = useSession((session) => session.role);
  if (seesOthers)
    return 'A role says what each person may do. There are no passwords: people sign in with a link that works once, or with a passkey.';
  const own = ROLES.find((each) => each.role === role);
  return (
    own && `Your role is ${roleName(own.role).toLowerCase()}. ${own.may} An operator can change your role.`
  );
}
