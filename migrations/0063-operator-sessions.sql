-- Sessions and sign-in links are listed and revoked by an id that reveals nothing about their token.

alter table operator_sessions
  add column id          uuid not null default gen_random_uuid(),
  add column address     text,             -- of the last request that renewed the session
  add column user_agent  text,
  -- Created before cookies over TLS had the prefix __Host-: such a session may still send its old cookie.
  add column old_cookie  boolean not null default true;
alter table operator_sessions
  alter column id drop default,
  alter column old_cookie set default false,
  add constraint operator_sessions_id unique (id);

-- A link with an operator signs in that operator again; one with a name is an invitation; one with neither signs in
-- the first operator.
alter table sign_in_links
  add column id           uuid not null default gen_random_uuid(),
  add column operator_id  uuid references operators(id),
  add constraint sign_in_links_one_person check (name is null or operator_id is null);
alter table sign_in_links
  alter column id drop default,
  add constraint sign_in_links_id unique (id);
