import type { Page as ListPage } from '#console/contract/list.ts';
import { callJson } from '../../api/operator-client.ts';
import { usePages } from '../parts/use-pages.ts';

/** Loads a list of people, sessions or links. */
export const useAccess = <Item>(path: string) =>
  usePages<Item>(path, (cursor, signal) =>
    callJson<ListPage<Item>>(path, { query: { cursor, limit: 100 }, signal }),
  );
