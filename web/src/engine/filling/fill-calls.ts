import { openPackage } from '#fill/package/open-package.ts';
import { portableCodec } from '#fill/portable-codec.ts';
import type { EngineCall } from '../engine-messages.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { groupsOf } from '../rows/row-groups.ts';
import { checkLayout } from './check-layout.ts';
import { distinctValues } from './distinct-values.ts';
import { longestValues } from './longest-values.ts';
import { openSource } from './open-source.ts';
import { pictureUse } from './picture-use.ts';
import { checkRows, preflight } from './preflight.ts';
import { previewRow } from './preview-row.ts';
import { previewSheet } from './preview-sheet.ts';

/** The calls that need the engine. */
export type FillCall = Extract<
  EngineCall,
  {
    name:
      | 'openSource'
      | 'openPackage'
      | 'checkLayout'
      | 'previewRow'
      | 'previewSheet'
      | 'groupsOf'
      | 'longestValues'
      | 'distinctValues'
      | 'pictureUse'
      | 'preflight'
      | 'checkRows';
  }
>;

export async function fillCall(
  call: FillCall,
  rows: OpenRows | null,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<unknown> {
  switch (call.name) {
    case 'openSource':
      return openSource(call.bytes);
    case 'openPackage':
      return openPackage(call.bytes, { codec: portableCodec, trustedKeys: call.trustedKeys });
    case 'checkLayout':
      return checkLayout(call.plan);
    case 'previewRow':
      return previewRow(call.row, call.plan, rows);
    case 'previewSheet':
      return previewSheet(call.rows, call.sheet, call.plan, rows);
    case 'groupsOf':
      return groupsOf(call.groupBy, call.rows, rows);
    case 'longestValues':
      return longestValues(call.layout, rows, signal);
    case 'distinctValues':
      return distinctValues(call.source, rows, signal);
    case 'pictureUse':
      return pictureUse(call.layout, call.names, call.assetNames, rows, signal);
    case 'preflight':
      return preflight(call.plan, rows, signal, onProgress);
    case 'checkRows':
      return checkRows(call.plan, call.rows, rows);
  }
}
