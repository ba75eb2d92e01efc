import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { findOverlays } from '../core/overlays/find-overlays.ts';
import { nameFields, patchOverlays, withMembers } from '../core/overlays/patch-overlays.ts';
import { useEditor } from '../editor/editor-store.ts';

/** `undefined` if the overlays have different values: the control shows "Mixed" and changes all of them. */
export function common<Value>(
  overlays: readonly Overlay[],
  read: (overlay: Overlay) => Value,
): Value | undefined {
  const [first, ...others] = overlays;
  if (first === undefined) return undefined;
  const value = read(first);
  const text = JSON.stringify(value);
  return others.every((overlay) => JSON.stringify(read(overlay)) === text) ? value : undefined;
}

/** A member that only some kinds have. */
export const member = (name: string) => (overlay: Overlay) =>
  (overlay as Readonly<Record<string, unknown>>)[name];

/** A text member, if all overlays have the same value. */
export const commonText = (overlays: readonly Overlay[], name: string) =>
  common(overlays, member(name)) as string | undefined;

/** Makes one named change to all selected overlays; those without the member are unchanged. */
export function editSelected(what: string, update: (overlay: Overlay) => Overlay): void {
  const { project, selection, change } = useEditor.getState();
  if (project === null) return;
  const ids = findOverlays(project.layout, selection).map(({ id }) => id);
  const label = `Change ${what} of ${nameFields(project.layout, ids)}`;
  change(label, (layout: Layout) => patchOverlays(layout, ids, update));
}

export function setMember(what: string, name: string, value: unknown): void {
  editSelected(what, (overlay) =>
    name in overlay ? withMembers(overlay, { [name]: value } as Partial<Overlay>) : overlay,
  );
}

/** Sets an optional member, or removes it. */
export function setOptional(what: string, name: string, value: unknown): void {
  editSelected(what, (overlay) => {
    const { [name]: before, ...rest } = overlay as Overlay & Record<string, unknown>;
    if (value === undefined) return before === undefined ? overlay : (rest as unknown as Overlay);
    return { ...rest, [name]: value } as unknown as Overlay;
  });
}
