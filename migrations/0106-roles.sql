-- kind: expand
-- What each person may do in the console (docs/contract/people.md). Existing people are operators.
alter table operators
  add column role        text not null default 'operator',
  add column account_id  uuid references accounts(id),
  add constraint operators_role check (role in ('operator', 'designer', 'runner', 'auditor')),
  add constraint operators_account check ((role in ('designer', 'runner')) = (num_nonnulls(account_id) = 1));

-- The role and the account of the person that an invitation creates.
alter table sign_in_links
  add column role        text not null default 'operator',
  add column account_id  uuid references accounts(id),
  add constraint sign_in_links_role check (role in ('operator', 'designer', 'runner', 'auditor')),
  add constraint sign_in_links_account check ((role in ('designer', 'runner')) = (num_nonnulls(account_id) = 1));
