import { Copy, EllipsisVertical, FileText, PencilLine, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ProjectView } from '#bulkfill/operator-contract.ts';
import { Menu, MenuItem } from '../canvas/toolbar/menu.tsx';
import { Link } from '../shell/link.tsx';
import { pictureUrl } from './library-api.ts';
import styles from './project-card.module.css';

/** A project of the library: its first page, its name, and what can be done with it. */
export function ProjectCard({
  account,
  project,
  onRename,
  onDuplicate,
  onDelete,
}: {
  account: string;
  project: ProjectView;
  onRename: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}) {
  const { project_id: id, name, version, page_count, columns, updated_at } = project;
  const [failed, setFailed] = useState(false);
  return (
    <li className={styles.card}>
      <Link to={`/editor/${id}`} className={styles.open}>
        <span className={styles.page}>
          {failed ? (
            <FileText size={28} />
          ) : (
            <img
              src={pictureUrl({ account, id }, version)}
              alt=""
              loading="lazy"
              decoding="async"
              onError={() => setFailed(true)}
            />
          )}
        </span>
        <span className={styles.name} title={name}>
          {name}
        </span>
        <span className={styles.facts}>
          {count(page_count, 'page')} · {count(columns.length, 'column')}
        </span>
        <span className={styles.facts} title={moments.format(Date.parse(updated_at))}>
          Version {version} · {days.format(Date.parse(updated_at))}
        </span>
      </Link>
      <span className={styles.more}>
        <Menu label={`More about ${name}`} icon={<EllipsisVertical size={16} />}>
          <MenuItem icon={<PencilLine size={15} />} onChoose={onRename}>
            Rename…
          </MenuItem>
          <MenuItem icon={<Copy size={15} />} onChoose={onDuplicate}>
            Duplicate
          </MenuItem>
          <MenuItem icon={<Trash2 size={15} />} onChoose={onDelete}>
            Delete
          </MenuItem>
        </Menu>
      </span>
    </li>
  );
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
