import type { Usage } from '#console/contract/usage.ts';
import { callJson } from '../../api/operator-client.ts';
import { Figures } from '../parts/facts.tsx';
import { AccountFilter, ChoiceFilter, Filters } from '../parts/filters.tsx';
import { formatCount, formatDay, formatMany } from '../parts/format.ts';
import { Card, Page, Section } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useQuery } from '../parts/use-query.ts';
import { BarChart } from './bar-chart.tsx';
import { QuotaMeter } from './quota-meter.tsx';
import { sumDays } from './usage.ts';
import { UsageTable } from './usage-table.tsx';

const SPANS = [
  { value: '7', name: 'Last 7 days' },
  { value: '', name: 'Last 30 days' },
  { value: '90', name: 'Last 90 days' },
];

/** Usage by day, and the quota left this month. */
export function UsageScreen() {
  const [filter, setFilter] = useQuery(['account', 'days']);
  const loaded = useLoaded(JSON.stringify(filter), (signal) =>
    callJson<Usage>('/usage', { query: { account: filter.account, days: filter.days || 30 }, signal }),
  );
  return (
    <Page title="Usage" lead="Rows and jobs by day of arrival (UTC).">
      <Filters>
        <AccountFilter value={filter.account} onChoose={(value) => setFilter('account', value)} />
        <ChoiceFilter
          label="Time"
          value={filter.days}
          choices={SPANS}
          onChoose={(value) => setFilter('days', value)}
        />
      </Filters>
      <Resource of={loaded} name="The usage">
        {(usage) => <UsageView usage={usage} />}
      </Resource>
    </Page>
  );
}

function UsageView({ usage: { days, quota } }: { usage: Usage }) {
  const sum = sumDays(days);
  const busiest = days.reduce(
    (most, day) => (day.rows > most.rows ? day : most),
    days[0] ?? { date: '', rows: 0 },
  );
  return (
    <>
      {quota !== null && <QuotaMeter quota={quota} />}
      <Figures
        of={[
          { name: 'Rows', value: formatCount(sum.rows) },
          { name: 'Jobs', value: formatCount(sum.jobs) },
          { name: 'Failed rows', value: formatCount(sum.failed_rows), bad: sum.failed_rows > 0 },
          {
            name: 'Busiest day',
            value: busiest.rows === 0 ? '–' : formatDay(busiest.date),
            ...(busiest.rows > 0 && { note: formatMany(busiest.rows, 'row') }),
          },
        ]}
      />
      <Section title="Rows per day">
        <Card>
          <BarChart
            label={`Rows per day: ${formatMany(sum.rows, 'row')} in ${days.length} days, ${formatCount(sum.failed_rows)} failed`}
            bars={days.map(({ date, rows, failed_rows }) => ({
              date,
              value: rows,
              bad: failed_rows,
              note: `${formatDay(date)}: ${formatMany(rows, 'row')}, ${formatCount(failed_rows)} failed`,
            }))}
          />
        </Card>
      </Section>
      <Section title="Jobs per day">
        <Card>
          <BarChart
            label={`Jobs per day: ${formatMany(sum.jobs, 'job')} in ${days.length} days`}
            bars={days.map(({ date, jobs }) => ({
              date,
              value: jobs,
              note: `${formatDay(date)}: ${formatMany(jobs, 'job')}`,
            }))}
          />
        </Card>
      </Section>
      <UsageTable days={days} />
    </>
  );
}
