import { z } from 'zod';
import { accountFilter, getNamedAccount } from '#console/accounts/find-named-account.ts';
import type { OperatorApp } from '#console/operator-app.ts';
import { nothing, pageOf, pageQuery, searchText } from '#console/page.ts';
import { countCollections, listItems, listPartners } from '#storage/console/ingest-overview.ts';
import type { Db } from '#storage/database.ts';
import { readOnly } from '#storage/read-replica.ts';
import { collections, findCollection, getCollection } from './collections/registry.ts';
import { listedItemPage, overview } from './operator-contract.ts';

const itemsQuery = pageQuery.extend({
  cursor: searchText.optional(),
  account: z.string().min(1).max(200),
  partner: z.string().max(200).optional(),
  collection: z.string().max(100),
  q: searchText.optional(),
});

/**
 * Routes of the operator API for data without a route in the public contract: partners, collections, and lists of
 * items. Operators read an item, its history, quarantine and loads through `/acting/ingest`.
 */
export function ingestOperatorRoutes(app: OperatorApp, db: Db): void {
  app.get(
    '/ingest/overview',
    {
      config: { needs: 'view-data' },
      schema: { querystring: z.object({ account: z.string().optional() }), response: { 200: overview } },
    },
    async (request) => {
      const partners = await listPartners(db, await accountFilter(db, request, request.query.account));
      const partnerNos = partners.map(({ no }) => no);
      const collectionNos = collections.map(({ no }) => no);
      const counts = await readOnly(db, (reader) => countCollections(reader, partnerNos, collectionNos));
      const items = partners.map((partner) => ({
        account: partner.account_name,
        partner: partner.partner_id,
        created_at: partner.created_at.toISOString(),
        collections: counts
          .filter(({ partner_no }) => partner_no === partner.no)
          .map(({ collection, items, active, quarantined }) => ({
            name: getCollection(collection).path,
            items,
            active,
            quarantined,
          })),
      }));
      return { collections: collections.map(({ path }) => path), items, next_cursor: null };
    },
  );

  app.get(
    '/ingest/items',
    {
      config: { needs: 'view-data' },
      schema: { querystring: itemsQuery, response: { 200: listedItemPage } },
    },
    async (request) => {
      const { account: named, partner, collection, q, limit, cursor } = request.query;
      const account = await getNamedAccount(db, request, named);
      const no = findCollection(collection)?.no;
      if (no === undefined) throw nothing('collection');
      const found = (await listPartners(db, account.id)).find(
        ({ partner_id }) => partner_id === (partner || account.name),
      );
      if (found === undefined) return { items: [], next_cursor: null };
      const filter = { partnerNo: found.no, collection: no, prefix: q || undefined, after: cursor, limit };
      return pageOf(
        await readOnly(db, (reader) => listItems(reader, filter)),
        limit,
        (item) => ({
          source_id: item.source_id,
          source_version: item.source_version,
          state: item.active ? 'ACTIVE' : 'INACTIVE',
          changes: item.change,
          warehouse_id: item.warehouse_id,
          correlation_id: item.correlation_id,
          updated_at: item.changed_at.toISOString(),
        }),
        ({ source_id }) => source_id,
      );
    },
  );
}
