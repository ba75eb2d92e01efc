import type { Delivery } from '#console/contract/deliveries.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { deliveryColumns } from '../webhooks/delivery-columns.tsx';

export function JobDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return null;
  return (
    <Section title="Webhooks">
      <DataTable
        label="Webhooks of this job"
        columns={deliveryColumns}
        rows={deliveries}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
