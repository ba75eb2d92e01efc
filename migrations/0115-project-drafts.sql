-- kind: expand
-- Unsaved work on a project, one per operator. `content` and `assets` belong to the editor; every write raises the revision.
create table project_drafts (
  account_id    uuid not null,
  project_id    uuid not null,
  operator_id   uuid not null references operators(id) on delete cascade,
  revision      integer not null check (revision > 0),
  base_version  integer not null check (base_version > 0),
  content       json not null,
  assets        json not null,
  saved_at      timestamptz not null,
  primary key (project_id, operator_id),
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);
create index project_drafts_operator on project_drafts (operator_id);

-- Who has a project open: one row per tab, which expires if the tab does not repeat it.
create table project_presence (
  account_id   uuid not null,
  project_id   uuid not null,
  tab          text not null check (length(tab) between 1 and 64),
  operator_id  uuid not null references operators(id) on delete cascade,
  device       text not null,
  opened_at    timestamptz not null,
  seen_at      timestamptz not null,
  primary key (project_id, tab),
  foreign key (account_id, project_id) references projects (account_id, id) on delete cascade
);
create index project_presence_operator on project_presence (operator_id);
