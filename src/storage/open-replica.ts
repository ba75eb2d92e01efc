import { type Db, openDatabase } from './database.ts';
import { attachReplica, ReadReplica } from './read-replica.ts';

export interface ReplicaSettings {
  readonly databaseReadUrl: string | undefined;
  readonly databasePool: number;
}

/** Opens the read replica of the settings, if they name one, and attaches it to the database. Connects with the first read. */
export function openReplica(
  { databaseReadUrl, databasePool }: ReplicaSettings,
  primary: Db,
  onError: (error: unknown) => void,
): ReadReplica | undefined {
  if (databaseReadUrl === undefined) return undefined;
  const replica = new ReadReplica(
    primary,
    openDatabase({ url: databaseReadUrl }, databasePool, onError),
    onError,
  );
  attachReplica(primary, replica);
  return replica;
}
