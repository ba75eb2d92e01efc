import { expect, test } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';

test('[STO8] a connection that breaks unused is told, but not one that breaks while all are closed', async () => {
  const told: string[] = [];
  const database = openDatabase(await createDatabase(), 2, ({ message }) => told.push(message));
  const { rows } = await database.pool.query('select pg_backend_pid() as pid');
  const broken = new Promise((resolve) => database.pool.once('error', resolve));
  const other = openDatabase(await createDatabase(), 1, () => {});
  await other.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await broken;
  expect(told).toEqual(['terminating connection due to administrator command']);

  const idle = await database.pool.connect();
  idle.release();
  const closed = database.close();
  idle.emit('error', new Error('cut while closing'));
  await closed;
  expect(told).toHaveLength(1);
  await other.close();
});
