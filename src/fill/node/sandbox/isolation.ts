import { statSync } from 'node:fs';
import path from 'node:path';
import type { FileView } from './file-view.ts';
import type { Tools } from './tools.ts';

/** Arguments that start a program in its own namespaces; the program follows them. */
export interface Isolation {
  readonly files: FileView;
  /** Through a user namespace, without which only root may make the others. */
  readonly throughUserNamespace: boolean;
}

/** bubblewrap: namespaces, the file system, no_new_privs, no capabilities but those that setpriv needs to drop the user. */
export function bubblewrap(
  bwrap: string,
  { files, throughUserNamespace }: Isolation,
  seccompFd: number | undefined,
): string[] {
  return [
    bwrap,
    ...(throughUserNamespace ? ['--unshare-user'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(throughUserNamespace
      ? []
      : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((capability) => ['--cap-add', capability])),
    // Named ones are open to the child's user; those that bubblewrap adds by itself are not.
    ...parentFolders(files.paths).flatMap((folder) => ['--dir', folder]),
    ...files.paths.flatMap((file) => ['--ro-bind', file, file]),
    ...files.links.flatMap(({ path: link, target }) => ['--symlink', target, link]),
    ...['--remount-ro', '/', '--chdir', '/'],
    ...(seccompFd === undefined ? [] : ['--seccomp', String(seccompFd)]),
    '--',
  ];
}

/** The same by util-linux. There is no seccomp filter, and capabilities and no_new_privs are left to setpriv. */
export function namespaces(
  { unshare, mount, umount, pivot_root }: Tools,
  { files, throughUserNamespace }: Isolation,
): string[] | undefined {
  if (unshare === undefined || mount === undefined || umount === undefined || pivot_root === undefined)
    return undefined;
  const root = freeFolder(files);
  if (root === undefined) return undefined;
  const inside = (file: string) => quoted(path.join(root, file));
  const isFolder = (file: string) => statSync(file).isDirectory();
  const folders = files.paths.map((file) => (isFolder(file) ? file : path.dirname(file)));
  const script = [
    'set -e',
    `${mount} -n -t tmpfs -o mode=755,nosuid,nodev,size=1m none ${quoted(root)}`,
    `mkdir -p ${[...folders, ...files.links.map((link) => path.dirname(link.path)), '/.old'].map(inside).join(' ')}`,
    ...files.paths.filter((file) => !isFolder(file)).map((file) => `: > ${inside(file)}`),
    // A source on a file system without programs or devices may only be bound with the same limits.
    ...files.paths.map((file) => {
      const bind = (options: string) =>
        `${mount} -n --bind -o ${options} ${quoted(file)} ${inside(file)} 2>/dev/null`;
      return `${bind('ro,nosuid,nodev')} || ${bind('ro,nosuid,nodev,noexec')}`;
    }),
    ...files.links.map((link) => `ln -s ${quoted(link.target)} ${inside(link.path)}`),
    // umount reads its mounts from /proc; without the old root this link leads nowhere.
    `ln -s .old/proc ${inside('/proc')}`,
    `${mount} -n -o remount,bind,ro ${quoted(root)}`,
    `cd ${quoted(root)}`,
    `${pivot_root} . .old`,
    'cd /',
    `/.old${umount} -n -l /.old`,
    'unset PWD OLDPWD SHLVL _',
    // Not exec: the shell stays as the first process of the namespace, which ends with unshare, and all others with it.
    '"$@"',
    'exit $?',
  ].join('\n');
  return [
    unshare,
    ...(throughUserNamespace ? ['--user', '--map-root-user'] : []),
    ...['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child=SIGKILL', '--'],
    ...['/bin/sh', '-c', script, 'sh'],
  ];
}

/** Where mounts are forbidden: no network and no other processes, but the files of the machine. */
export function withoutNetwork({ unshare }: Tools, throughUserNamespace: boolean): string[] | undefined {
  if (unshare === undefined) return undefined;
  return [
    unshare,
    ...(throughUserNamespace ? ['--user', '--map-root-user'] : []),
    ...['--net', '--ipc', '--'],
  ];
}

/** An existing folder to build the new root on, which hides nothing that is needed. */
function freeFolder({ paths }: FileView): string | undefined {
  return ['/mnt', '/media', '/srv', '/opt'].find(
    (folder) =>
      statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
      !paths.some((file) => file === folder || file.startsWith(`${folder}/`)),
  );
}

/** All folders above, the outer ones first. */
function parentFolders(paths: readonly string[]): string[] {
  const above = (file: string): string[] => {
    const parent = path.dirname(file);
    return parent === '/' ? [] : [...above(parent), parent];
  };
  return [...new Set(paths.flatMap(above))];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
