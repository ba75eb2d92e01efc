-- kind: expand
-- Sign-in with OpenID Connect (docs/contract/people.md, PPL30 to PPL38).

-- The identity at the provider that signs in as this person. A removed person keeps it, and can be invited again as a new
-- person with the same identity.
alter table operators
  add column oidc_issuer         text,
  add column oidc_subject        text,
  -- The role follows the claims of the provider (ROWPRESS_OIDC_ROLES).
  add column role_from_provider  boolean not null default false,
  add constraint operators_identity_complete check ((oidc_issuer is null) = (oidc_subject is null));
create unique index operators_identity on operators (oidc_issuer, oidc_subject) where removed_at is null;

-- Sign-ins that a browser has started. Each can be completed once. State, nonce and PKCE verifier are derived from the token,
-- which only the browser's cookie holds.
create table oidc_attempts (
  token_hash  bytea primary key check (length(token_hash) = 32),
  expires_at  timestamptz not null
);
create index oidc_attempts_expiry on oidc_attempts (expires_at);
