import type { Codec } from './codec.ts';
import type { BaseResourceState } from './draw/base-resources.ts';
import { createRowDrawer } from './draw/create-row-drawer.ts';
import { type JobAssets, NO_JOB_ASSETS } from './draw/images/job-assets.ts';
import type { OpenRowCipher } from './encrypt/row-cipher.ts';
import type { FillOptions, VerifyOptions } from './fill-options.ts';
import type { FillPlan } from './fill-plan.ts';
import type { FontKit } from './fonts/font-kit.ts';
import { formPart } from './forms/fill-fields.ts';
import { isTable } from './kinds/kind-of.ts';
import { columnUsers } from './mapped-columns.ts';
import { documentPages } from './pages/document-pages.ts';
import type { PreparedBase } from './prepare/prepared-base.ts';
import { rowFileName } from './results/file-name.ts';
import { type DrawPart, RowFiller, type RowProtection, type SlotContent } from './row-filler.ts';
import { DEFAULT_MAX_CELL_CHARS } from './values/check-cells.ts';
import { columnReadings } from './values/column-readings.ts';
import { type VerifyId, VerifyValues } from './verify/verify-values.ts';
import type { SharedPrefix } from './zip/shared-prefix.ts';

export interface RowPorts {
  readonly fonts: FontKit;
  readonly codec: Codec;
  /** Opens the ciphers of the rows, given the key of their passwords. Needed by runs that encrypt. */
  readonly rowCiphers?: ((key: string) => OpenRowCipher) | undefined;
  /** The ids of the documents. Needed by runs that write the address of each document. */
  readonly verifyIds?: ((verify: VerifyOptions) => VerifyId) | undefined;
  /** Pictures of the job. */
  readonly jobAssets?: JobAssets | undefined;
}

/** Second half of a run: builds the filler, which turns rows into tails, from a base and a plan. */
export async function createRowFiller(
  base: PreparedBase,
  prefix: Pick<SharedPrefix, 'crc32' | 'sha256'>,
  plan: FillPlan,
  ports: RowPorts,
  maxCellChars = DEFAULT_MAX_CELL_CHARS,
): Promise<RowFiller> {
  const { layout, options } = plan;
  const labels = new Map(layout.columns.map((column) => [column.label, column.key]));
  return new RowFiller({
    base,
    prefix,
    codec: ports.codec,
    draw: await drawParts(base, plan, ports),
    columnUsers: columnUsers(layout, options),
    tables: new Set(layout.overlays.filter(isTable).map(({ id }) => id)),
    groupBy: options.groupBy ?? [],
    maxCellChars,
    protection: protectionOf(options, ports),
    verify: verifyOf(options, ports),
    output: options.output ?? 'zip',
    isForSheets: options.sheet !== undefined,
    fileName: (rowNumber, cells) => rowFileName(rowNumber, cells, options.filenameColumns, labels),
  });
}

function protectionOf({ password }: FillOptions, { rowCiphers }: RowPorts): RowProtection | undefined {
  if (password === undefined) return undefined;
  if (rowCiphers === undefined) throw new Error('bug: this run cannot encrypt');
  return { column: password.column, openCipher: rowCiphers(password.key) };
}

function verifyOf({ verify }: FillOptions, { verifyIds }: RowPorts): VerifyValues | undefined {
  if (verify === undefined) return undefined;
  if (verifyIds === undefined) throw new Error('bug: this run cannot compute verification ids');
  return new VerifyValues(verify, verifyIds(verify));
}

async function drawParts(base: PreparedBase, plan: FillPlan, ports: RowPorts): Promise<DrawPart[]> {
  const parts = [await overlayPart(base, plan, ports)];
  const { form_fields } = plan.layout;
  const { decimalSigns } = plan.options;
  const { forms, resources } = base.facts;
  if (form_fields.length > 0)
    parts.push(
      await formPart(
        forms,
        plan.layout,
        plan.assets,
        resources as BaseResourceState,
        ports.fonts,
        columnReadings(plan.layout, decimalSigns),
      ),
    );
  return parts;
}

async function overlayPart(
  base: PreparedBase,
  plan: FillPlan,
  { fonts, codec, jobAssets = NO_JOB_ASSETS }: RowPorts,
): Promise<DrawPart> {
  const { facts } = base;
  const slots = new Map(facts.slots.map((slot) => [slot.page, slot]));
  const drawer = await createRowDrawer(
    plan.layout,
    { job: jobAssets, assets: plan.assets, codec },
    facts.resources as BaseResourceState,
    facts.pages,
    plan.options,
    fonts,
    new Map(facts.slots.flatMap(({ page, tags }) => (tags === undefined ? [] : [[page, tags] as const]))),
  );
  return (cells, numbers) => {
    const drawing = drawer.draw(cells, numbers);
    const contents: SlotContent[] = [];
    for (const { page, content, resources } of drawing.slots) {
      const slot = slots.get(page);
      if (slot === undefined) throw new Error(`bug: page ${page} has no slot`);
      contents.push({ slot, content, resources });
    }
    return {
      slots: contents,
      objects: drawing.objects,
      applied: drawing.applied,
      skipped: drawing.skipped,
      warnings: drawing.warnings,
      error: drawing.error,
      ...(drawing.errorColumn !== undefined && { errorColumn: drawing.errorColumn }),
      pages: documentPages(facts.pages.length, slots, drawing),
      isContinued: drawing.isContinued,
    };
  };
}
