-- Projects of an account: a source PDF and a sealed package under a name. Every save adds a version; `version` is the
-- latest one.
create table projects (
  id          uuid primary key,
  account_id  uuid not null references accounts(id),
  name        text not null check (length(name) between 1 and 100),
  version     integer not null check (version > 0),
  created_at  timestamptz not null,
  unique (account_id, name),
  unique (account_id, id)
);
create index projects_account on projects (account_id, created_at desc, id);

-- `pdf` and `package` are names of blobs, which blob_refs keeps; the digests are those of their content. `columns` are
-- those of the layout.
create table project_versions (
  account_id      uuid not null,
  project_id      uuid not null,
  version         integer not null check (version > 0),
  pdf             text not null,
  pdf_sha256      text not null,
  pdf_bytes       bigint not null,
  package         text not null,
  package_sha256  text not null,
  package_bytes   bigint not null,
  page_count      integer not null,
  columns         json not null,
  created_at      timestamptz not null,
  primary key (project_id, version),
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);

-- A version references its blobs as a job does, so that the sweeper has one table to look at.
alter table blob_refs drop constraint blob_refs_pkey;
alter table blob_refs drop constraint blob_refs_role_check;
alter table blob_refs alter column job_id drop not null;
alter table blob_refs add column project_id uuid;
alter table blob_refs add column project_version integer;
alter table blob_refs add check (role in ('input', 'work', 'artifact', 'project'));
alter table blob_refs add check ((job_id is null) = (role = 'project'));
alter table blob_refs add check ((project_id is null) = (job_id is not null));
alter table blob_refs add check ((project_version is null) = (project_id is null));
alter table blob_refs add unique nulls not distinct (digest, job_id, project_id, project_version, role);
alter table blob_refs add foreign key (project_id, project_version)
  references project_versions (project_id, version) on delete cascade;
create index blob_refs_project on blob_refs (project_id, project_version) where project_id is not null;
