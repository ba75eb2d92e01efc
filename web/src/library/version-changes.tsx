import { useEffect, useState } from 'react';
import type { Layout } from '#fill/package/layout-schema.ts';
import { useEditor } from '../editor/editor-store.ts';
import { ChangeList } from '../saving/change-list.tsx';
import { layoutChanges } from '../saving/layout-changes.ts';
import { tellError } from '../ui/messages.tsx';
import { Waiting } from '../ui/waiting.tsx';
import type { ProjectPlace } from './library-api.ts';
import { openVersion } from './load-version.ts';

/** A version, and what it is compared with. */
export interface Compared {
  readonly version: number;
  readonly with: 'before' | 'screen';
}

/** A readable difference: from the version before to this one, or from this one to what is on the screen. */
export function VersionChanges({
  place: { account, id },
  compared: { version, with: other },
}: {
  place: ProjectPlace;
  compared: Compared;
}) {
  const screen = useEditor((editor) => editor.project?.layout);
  const [layouts, setLayouts] = useState<{ of: string; own: Layout; before: Layout | null } | null>(null);
  const wanted = `${version} ${other}`;
  useEffect(() => {
    let stale = false;
    const open = async (number: number) => (await openVersion({ account, id }, number)).layout;
    Promise.all([open(version), other === 'before' ? open(version - 1) : null]).then(([own, before]) => {
      if (!stale) setLayouts({ of: `${version} ${other}`, own, before });
    }, tellError);
    return () => {
      stale = true;
    };
  }, [account, id, version, other]);
  if (layouts?.of !== wanted || screen === undefined) return <Waiting label="Comparing" />;
  const { own, before } = layouts;
  return before !== null ? (
    <ChangeList
      changes={layoutChanges(before, own)}
      none={`Versions ${version - 1} and ${version} have the same fields, columns and pages.`}
    />
  ) : (
    <ChangeList
      changes={layoutChanges(own, screen)}
      none={`The screen shows what version ${version} contains.`}
    />
  );
}
