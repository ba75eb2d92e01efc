-- kind: expand
-- The processes of the installation, as their heartbeats report them.
-- UNLOGGED: after a crash of the database every running node writes its row again.
create unlogged table nodes (
  id            uuid primary key,          -- of one process
  name          text not null,             -- host name and port
  version       text not null,
  role          text not null,
  started_at    timestamptz not null,
  heartbeat_at  timestamptz not null,      -- by the database's clock, like all times
  skew_ms       float8 not null,           -- how far the machine's clock is ahead of the database's
  workers       int not null,
  running       int not null,              -- tasks that it runs at the moment
  load          float8 not null,           -- of the machine, over one minute
  loop_delay_ms float8 not null,           -- 99th percentile since the last heartbeat
  free_bytes    int8,                      -- null: cannot be measured
  problems      text[] not null            -- why it is not ready; empty: ready
);
create index nodes_heartbeat on nodes (heartbeat_at);
