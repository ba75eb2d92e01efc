import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '#lib/plain-log.ts';
import { openDatabase } from '#storage/database.ts';
import { findBinaries } from '#storage/embedded/binaries.ts';
import { takeOwnedDirectory, takeSocketDirectory } from '#storage/embedded/directories.ts';
import { type Place, takePlace } from '#storage/embedded/place.ts';
import { serverArguments } from '#storage/embedded/postmaster.ts';
import { runAs } from '#storage/embedded/run-user.ts';
import { serverOptions, settingsMark } from '#storage/embedded/settings.ts';
import { migrate } from '#storage/migrate.ts';

/** A cluster as earlier releases created it: one superuser owns everything, and any process with socket access can connect. */
export async function makeOldCluster(dataDir: string): Promise<void> {
  const place = takePlace(dataDir, silentLog);
  const binaries = findBinaries(place, silentLog);
  takeOwnedDirectory(place.cluster, place.user);
  const args = [
    '-D',
    place.cluster,
    '-U',
    'rowpress',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
  ];
  execFileSync(join(binaries.bin, 'initdb'), args, {
    ...runAs(place.user),
    env: binaries.env,
    stdio: 'ignore',
  });
  const server = startOldServer(place);
  const host = await server.ready();
  const admin = new pg.Client({ host, user: 'rowpress', database: 'postgres' });
  await admin.connect();
  await admin.query('create database rowpress');
  await admin.end();
  const database = openDatabase({ host, user: 'rowpress', database: 'rowpress' }, 2, () => {});
  await migrate(database.db);
  await database.pool.query(EVERY_KIND_OF_OBJECT);
  await database.close();
  await server.stop();
}

/** One object of each kind that has an owner, in addition to those from the migrations. */
const EVERY_KIND_OF_OBJECT = `
  create schema other;
  create table other.t (id serial primary key, n int generated always as identity);
  insert into other.t default values;
  create table other.parts (n int) partition by list (n);
  create table other.part partition of other.parts for values in (1);
  create view other.v as select * from other.t;
  create materialized view other.m as select * from other.t;
  create sequence other.s;
  create function other.f() returns int language sql as 'select 1';
  create procedure other.p() language sql as 'select 1';
  create type other.e as enum ('a');
  create type other.c as (n int);
  create type other.r as range (subtype = int4);
  create domain other.d as int`;

/** The server process of an earlier release, with a session as its owner. */
export function startOldServer(place: Place) {
  const binaries = findBinaries(place, silentLog);
  const options = serverOptions(takeSocketDirectory(place), { fsync: false });
  const marked = { ...options, 'rowpress.mark': settingsMark(binaries.version, options) };
  const child = spawn(join(binaries.bin, 'postgres'), serverArguments(place, marked), {
    ...runAs(place.user),
    env: binaries.env,
    stdio: 'ignore',
  });
  const host = options.unix_socket_directories ?? '';
  return {
    ready: async () => {
      for (;;) {
        const client = new pg.Client({ host, user: 'rowpress', database: 'postgres' });
        client.on('error', () => {});
        try {
          await client.connect();
          await client.end();
          return host;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGINT');
      await gone;
    },
  };
}
