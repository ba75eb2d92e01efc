import { formatDay } from '../parts/format.ts';
import styles from './bar-chart.module.css';
import { axisMarks, shortNumber } from './bar-scale.ts';
import { useWidth } from './use-width.ts';

export interface Bar {
  readonly date: string;
  readonly value: number;
  /** The failed part of `value`; drawn at the bottom in another colour. */
  readonly bad?: number;
  /** The text of the tooltip. */
  readonly note: string;
}

const HEIGHT = 200;
const LEFT = 44;
const FOOT = 22;
const TOP = 8;

/** A bar chart by day. A few rectangles need no library. The table below it shows the numbers. */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const [frame, full] = useWidth<HTMLDivElement>(960);
  const marks = axisMarks(Math.max(0, ...bars.map(({ value }) => value)));
  const top = marks.at(-1) ?? 1;
  const room = HEIGHT - FOOT - TOP;
  const y = (value: number) => TOP + room - (value / top) * room;
  const step = (full - LEFT) / Math.max(1, bars.length);
  const width = Math.min(28, step * 0.72);
  // A date needs about 80 pixels under the axis.
  const every = Math.max(1, Math.ceil(80 / step));
  return (
    <div ref={frame}>
      <svg width={full} height={HEIGHT} role="img" aria-label={label} className={styles.chart}>
        {marks.map((mark) => (
          <g key={mark}>
            <line x1={LEFT} x2={full} y1={y(mark)} y2={y(mark)} className={styles.grid} />
            <text x={LEFT - 8} y={y(mark) + 4} textAnchor="end">
              {shortNumber(mark)}
            </text>
          </g>
        ))}
        {bars.map(({ date, value, bad = 0, note }, index) => {
          const x = LEFT + step * index + (step - width) / 2;
          return (
            <g key={date} className={styles.day}>
              <title>{note}</title>
              <rect x={LEFT + step * index} y={TOP} width={step} height={room} className={styles.hover} />
              <rect
                x={x}
                y={y(value)}
                width={width}
                height={Math.max(0, y(0) - y(value))}
                rx="2"
                className={styles.bar}
              />
              {bad > 0 && (
                <rect x={x} y={y(bad)} width={width} height={y(0) - y(bad)} className={styles.bad} />
              )}
              {(bars.length - 1 - index) % every === 0 && (
                // The last date is right-aligned; centred under a thin bar it would extend beyond the edge.
                <text
                  x={index === bars.length - 1 ? full : x + width / 2}
                  y={HEIGHT - 4}
                  textAnchor={index === bars.length - 1 ? 'end' : 'middle'}
                >
                  {formatDay(date)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
