import type { Need, Role } from '../contract/access.ts';

/**
 * The roles that have each right. Designers and runners have theirs in their own account only
 * (`accounts/find-named-account.ts`).
 */
export const rolesWith: Readonly<Record<Need, readonly Role[]>> = {
  /** One's own session. */
  self: ['operator', 'designer', 'runner', 'auditor'],
  /** Reads jobs and projects, and downloads their files. */
  'view-runs': ['operator', 'designer', 'runner', 'auditor'],
  /** Reads the other data of an account. */
  'view-data': ['operator', 'designer', 'auditor'],
  /** Starts, retries and cancels jobs of existing projects. */
  run: ['operator', 'designer', 'runner'],
  /** Changes projects and the data of an account, and runs files that are not a project. */
  design: ['operator', 'designer'],
  /** Reads what belongs to the whole installation. */
  inspect: ['operator', 'auditor'],
  /** Changes what belongs to the whole installation, and reads secrets. */
  manage: ['operator'],
};

export const isRole = (text: string): text is Role => rolesWith.self.some((role) => role === text);

/** Whether people with this role belong to one account. */
export const hasAccount = (role: Role): boolean => role === 'designer' || role === 'runner';

export const needsOf = (role: Role): Need[] =>
  (Object.keys(rolesWith) as Need[]).filter((need) => rolesWith[need].includes(role));
