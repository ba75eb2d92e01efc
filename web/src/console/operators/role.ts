import type { Role } from '#console/contract/access.ts';

/** The roles in the order of their rights, with what they may do. */
export const ROLES: readonly { readonly role: Role; readonly name: string; readonly may: string }[] = [
  { role: 'operator', name: 'Operator', may: 'Can see and change everything.' },
  {
    role: 'designer',
    name: 'Designer',
    may: 'Creates projects, runs jobs, and works with the data of one account.',
  },
  { role: 'runner', name: 'Runner', may: 'Runs the existing projects of one account and downloads results.' },
  { role: 'auditor', name: 'Auditor', may: 'Can see everything and change nothing.' },
];

export const roleName = (role: Role): string => ROLES.find((each) => each.role === role)?.name ?? role;

/** Designers and runners belong to one account. */
export const hasAccount = (role: Role): boolean => role === 'designer' || role === 'runner';
