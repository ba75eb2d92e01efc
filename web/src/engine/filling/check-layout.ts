import { findLayoutProblems } from '#fill/layout-problems.ts';
import { type Layout, layoutSchema } from '#fill/package/layout-schema.ts';
import type { LayoutProblem } from '../engine-client.ts';
import type { PlanMessage } from '../engine-messages.ts';
import { openSource } from './open-source.ts';
import { planOf } from './prepared-plan.ts';

/** Returns everything that blocks saving: schema errors, and what filling would skip in every row. */
export async function checkLayout(message: PlanMessage): Promise<readonly LayoutProblem[]> {
  const { source, plan } = planOf(message);
  const { layout } = plan;
  const parsed = layoutSchema.safeParse(layout);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message: text }) => ({
      id: idAt(layout, path),
      message: path.length === 0 ? text : `${String(path.at(-1))}: ${text}`,
    }));
  }
  const opened = await openSource(source);
  if (!opened.ok) return [{ id: null, message: opened.message }];
  const problems = await findLayoutProblems(parsed.data, opened.metadata, plan.assets);
  return problems.map(({ overlay_id, form_field_id, message: text }) => ({
    id: overlay_id ?? form_field_id ?? null,
    message: text,
  }));
}

/** `overlays`, 3, … refers to the fourth overlay. */
function idAt(layout: Layout, [list, index]: readonly PropertyKey[]): string | null {
  if (list !== 'overlays' && list !== 'form_fields') return null;
  return layout[list][Number(index)]?.id ?? null;
}
