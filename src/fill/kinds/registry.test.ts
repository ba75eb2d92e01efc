import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import type { LayoutInput } from '../package/layout-schema.ts';

const box = { id: 'm', type: 'meter', page: 1, x: 10, y: 20, width: 200, height: 8 };
const mapped = [{ ...box, value: { column: 'column_0' } }] as unknown as NonNullable<LayoutInput['overlays']>;

/** Loads the engine again. */
async function loadEngine() {
  const [
    { layoutSchema },
    { layoutJsonSchemaText },
    { findLayoutProblems },
    { mappedColumns },
    support,
    drawn,
  ] = await Promise.all([
    import('../package/layout-schema.ts'),
    import('../package/layout-json-schema.ts'),
    import('../layout-problems.ts'),
    import('../mapped-columns.ts'),
    import('../../../test/support/prepared.ts'),
    import('../../../test/support/drawn-row-pdf.ts'),
  ]);
  return { layoutSchema, layoutJsonSchemaText, findLayoutProblems, mappedColumns, ...support, ...drawn };
}

describe('a kind added to the registry', () => {
  let engine: Awaited<ReturnType<typeof loadEngine>>;
  const parse = (value: object, members = {}) =>
    engine.layoutSchema.safeParse({
      format: 'rowpress.layout',
      version: 1,
      overlays: [{ ...box, value, ...members }],
    });

  beforeAll(async () => {
    // One more line in each of the two lists. Everything else derives from them.
    vi.resetModules();
    vi.doMock('./registry.ts', async (importOriginal) => {
      const { KINDS } = await importOriginal<typeof import('./registry.ts')>();
      const { meterKind } = await import('../../../test/support/meter-kind.ts');
      return { KINDS: [...KINDS, meterKind] };
    });
    vi.doMock('./schemas.ts', async (importOriginal) => {
      const { SCHEMAS } = await importOriginal<typeof import('./schemas.ts')>();
      const { meterSchema } = await import('../../../test/support/meter-kind.ts');
      return { SCHEMAS: [...SCHEMAS, meterSchema] };
    });
    engine = await loadEngine();
  });

  // Later test files in this process load the real lists.
  afterAll(() => {
    vi.doUnmock('./registry.ts');
    vi.doUnmock('./schemas.ts');
    vi.resetModules();
  });

  it('its schema: validates layouts and is published', () => {
    expect(parse({ column: 'column_0' }).data?.overlays[0]).toMatchObject({ color: '#00ff00', opacity: 1 });
    expect(parse({ column: 'column_0' }, { ecc: 'M' }).success).toBe(false);
    expect(engine.layoutJsonSchemaText()).toContain('"meter_overlay"');
  });

  it('rows: draw it, and the base contains its faces', async () => {
    const bench = await engine.drawingBench(mapped);
    const drawing = bench.draw('50');
    expect(drawing).toMatchObject({ applied: 1, skipped: 0, error: null });
    // Half of 200 points wide, 8 high.
    expect(Buffer.from(drawing.slots[0]?.content ?? []).toString('latin1')).toMatch(/100 0 0 8 [\s\S]* re\n/);
    const { base, filler } = await engine.prepareForTest(pagesPdf([{}]), { overlays: mapped });
    expect(Buffer.from(base.bytes).toString('latin1')).toContain('Cousine');
    expect(filler.fill(1, engine.cellsOf('50')).result.status).toBe('success');
  });

  it('a layout that uses it: its columns are mapped and its static problems are reported', async () => {
    const layout = parse({ column: 'column_0' }).data;
    const wrong = parse({ static: 'half' }).data;
    if (layout === undefined || wrong === undefined) throw new Error('a layout is invalid');
    expect(engine.mappedColumns(layout, { includeStickers: false })).toEqual(['column_0']);
    const source = { page_count: 1, form_fields: [] } as unknown as Parameters<
      typeof engine.findLayoutProblems
    >[1];
    expect(await engine.findLayoutProblems(wrong, source, new Map())).toEqual([
      { path: 'overlays[0].value', overlay_id: 'm', message: 'half is not a percentage' },
    ]);
  });
});
