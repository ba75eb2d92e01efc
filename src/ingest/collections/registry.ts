import { addresses } from './addresses.ts';
import { boms } from './boms.ts';
import type { CollectionDefinition } from './definition.ts';
import { locations } from './locations.ts';
import { lots } from './lots.ts';
import { movements } from './movements.ts';
import { purchaseOrders } from './purchase-orders.ts';
import { receivers } from './receivers.ts';
import { salesOrders } from './sales-orders.ts';
import { serials } from './serials.ts';
import { shippers } from './shippers.ts';
import { skus } from './skus.ts';
import { snapshot } from './snapshot.ts';
import { transferOrders } from './transfer-orders.ts';
import { uoms } from './uoms.ts';
import { workOrders } from './work-orders.ts';

/** In the order of their numbers: referenced collections come first. */
export const collections: readonly CollectionDefinition[] = [
  uoms,
  addresses,
  skus,
  boms,
  locations,
  lots,
  serials,
  purchaseOrders,
  salesOrders,
  receivers,
  shippers,
  workOrders,
  transferOrders,
  snapshot,
  movements,
];

const byPath = new Map(collections.map((definition) => [definition.path, definition]));
const byNumber = new Map(collections.map((definition) => [definition.no, definition]));

export function findCollection(path: string): CollectionDefinition | undefined {
  return byPath.get(path);
}

export function getCollection(pathOrNumber: string | number): CollectionDefinition {
  const found = typeof pathOrNumber === 'string' ? byPath.get(pathOrNumber) : byNumber.get(pathOrNumber);
  if (found === undefined) throw new Error(`bug: there is no collection ${pathOrNumber}`);
  return found;
}
