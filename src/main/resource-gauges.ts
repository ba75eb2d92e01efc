import type { ByteBudget } from '#lib/byte-budget.ts';
import type { GaugeSample } from '#lib/metrics.ts';
import type { FreeSpace } from '#storage/free-space.ts';

/** Gauges of the remaining memory and disk space, for `/metrics`. */
export function resourceGauges(budget: ByteBudget, space: FreeSpace) {
  return async (): Promise<readonly GaugeSample[]> => {
    const free = await space.freeBytes();
    return [
      { name: 'rowpress_memory_budget_bytes', labels: {}, value: budget.totalBytes },
      { name: 'rowpress_memory_budget_used_bytes', labels: {}, value: budget.usedBytes },
      { name: 'rowpress_memory_budget_refusals', labels: {}, value: budget.refusals },
      { name: 'rowpress_disk_floor_bytes', labels: {}, value: space.floorBytes },
      ...(free === undefined ? [] : [{ name: 'rowpress_disk_free_bytes' as const, labels: {}, value: free }]),
    ];
  };
}
