import { create } from 'zustand';
import type { Need, Role } from '#console/contract/access.ts';
import type { DefaultAccount } from '#console/contract/accounts.ts';
import type { AccountChoice, Session, SignedIn } from '#console/contract/session.ts';
import { callJson, setCsrfToken, whenSignedOut } from '../api/operator-client.ts';

interface SessionState {
  /** `unknown` until the first response of the server. */
  readonly status: 'unknown' | 'out' | 'in';
  readonly operator: SignedIn['operator'] | null;
  readonly role: Role | null;
  /** What the role allows. */
  readonly may: readonly Need[];
  readonly accounts: readonly AccountChoice[];
  /** The account that jobs run under, chosen in the header and remembered in this browser; null until one is chosen. */
  readonly account: string | null;
  /** The remembered account, if it no longer exists. The user must choose another one. */
  readonly lostAccount: string | null;
  refresh(): Promise<void>;
  signIn(token: string): Promise<void>;
  /** Takes the session of a sign-in without a link. */
  begin(session: SignedIn): void;
  signOut(): Promise<void>;
  chooseAccount(name: string): void;
}

const ACCOUNT_KEY = 'rowpress.account';

export const useSession = create<SessionState>((set, get) => {
  /** Counts sign-ins and sign-outs. */
  let changes = 0;
  const take = (answer: Session) => {
    if (!answer.signed_in) {
      setCsrfToken('');
      set({
        status: 'out',
        operator: null,
        role: null,
        may: [],
        accounts: [],
        account: null,
        lostAccount: null,
      });
      return;
    }
    setCsrfToken(answer.csrf_token);
    const { accounts, operator, role, may } = answer;
    const remembered = get().account ?? localStorage.getItem(ACCOUNT_KEY);
    // A single account is chosen automatically, and remembered in case there are more later.
    const wanted = remembered ?? (accounts.length === 1 ? accounts[0]?.name : undefined) ?? null;
    const account = accounts.find(({ name }) => name === wanted)?.name ?? null;
    if (account !== null) localStorage.setItem(ACCOUNT_KEY, account);
    set({
      status: 'in',
      operator,
      role,
      may,
      accounts,
      account,
      lostAccount: account === null ? wanted : null,
    });
  };
  return {
    status: 'unknown',
    operator: null,
    role: null,
    may: [],
    accounts: [],
    account: null,
    lostAccount: null,
    refresh: async () => {
      const before = changes;
      const answer = await callJson<Session>('/session');
      // A response that a sign-in has overtaken is from before it.
      if (changes === before) take(answer);
    },
    signIn: async (token) => {
      const answer = await callJson<Session>('/session', { method: 'POST', json: { token } });
      changes += 1;
      take(answer);
    },
    begin: (session) => {
      changes += 1;
      take(session);
    },
    signOut: async () => {
      await callJson('/session', { method: 'DELETE' });
      changes += 1;
      take({ signed_in: false });
    },
    chooseAccount: (name) => {
      localStorage.setItem(ACCOUNT_KEY, name);
      set({ account: name, lostAccount: null });
    },
  };
});

let asking: Promise<void> | null = null;

/** Whether the operator is signed in. Reads the session if no response has arrived yet, so that a quick click finds it. */
export async function isSignedIn(): Promise<boolean> {
  if (useSession.getState().status === 'unknown') {
    // Several callers share one request.
    asking ??= useSession
      .getState()
      .refresh()
      .finally(() => {
        asking = null;
      });
    await asking;
  }
  return useSession.getState().status === 'in';
}

/** The chosen account. An installation without any gets its default account; null if the user has to choose. */
export async function accountToUse(): Promise<string | null> {
  const { accounts, account, refresh, chooseAccount } = useSession.getState();
  if (account !== null || accounts.length > 0) return account;
  const { created } = await callJson<DefaultAccount>('/accounts/default', { method: 'POST' });
  if (created) chooseAccount('Default');
  await refresh();
  return useSession.getState().account;
}

// A 401 does not prove that the session has ended, so the session is read again.
whenSignedOut(() => {
  useSession
    .getState()
    .refresh()
    .catch(() => {});
});
