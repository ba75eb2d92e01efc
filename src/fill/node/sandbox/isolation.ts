import { statSync } from 'node:fs';
import path from 'node:path';
import type { FileView } from './file-view.ts';
import type { Tools } from './tools.ts';

/** Arguments that start a program in its own namespaces; the program follows them. */
export interface Isolation {
  readonly files: FileView;
  /** Uses a user namespace, without which only root can create the others. */
  readonly throughUserNamespace: boolean;
}

/**
 * Isolates with bubblewrap: namespaces, file system, no_new_privs, and only the capabilities that setpriv needs. The caller starts it in a new
 * session without a terminal; another session would not have its priority.
 */
export function bubblewrap(
  bwrap: string,
  { files, throughUserNamespace }: Isolation,
  seccompFd: number | undefined,
): string[] {
  return [
    bwrap,
    ...(throughUserNamespace ? ['--unshare-user'] : []),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--cap-drop', 'ALL'],
    ...(throughUserNamespace
      ? []
      : ['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((capability) => ['--cap-add', capability])),
    // The child's user can enter folders that are listed here, but not those that bubblewrap creates implicitly.
    ...parentFolders(files.paths).flatMap((folder) => ['--dir', folder]),
    ...files.paths.flatMap((file) => ['--ro-bind', file, file]),
    ...files.links.flatMap(({ path: link, target }) => ['--symlink', target, link]),
    ...['--remount-ro', '/', '--chdir', '/'],
    ...(seccompFd === undefined ? [] : ['--seccomp', String(seccompFd)]),
    '--',
  ];
}

/** Isolates with util-linux. There is no seccomp filter; setpriv drops capabilities and sets no_new_privs. */
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
    // A source on a file system mounted noexec or nodev can only be bound with the same flags.
    ...files.paths.map((file) => {
      const bind = (options: string) =>
        `${mount} -n --bind -o ${options} ${quoted(file)} ${inside(file)} 2>/dev/null`;
      return `${bind('ro,nosuid,nodev')} || ${bind('ro,nosuid,nodev,noexec')}`;
    }),
    ...files.links.map((link) => `ln -s ${quoted(link.target)} ${inside(link.path)}`),
    // umount reads its mounts from /proc; without the old root this link is broken.
    `ln -s .old/proc ${inside('/proc')}`,
    `${mount} -n -o remount,bind,ro ${quoted(root)}`,
    `cd ${quoted(root)}`,
    `${pivot_root} . .old`,
    'cd /',
    `/.old${umount} -n -l /.old`,
    'unset PWD OLDPWD SHLVL _',
    // No exec: the shell remains the first process of the namespace. It ends with unshare, and all others end with it.
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

/** For machines that forbid mounts: isolates network and IPC, but not the files of the machine. */
export function withoutNetwork({ unshare }: Tools, throughUserNamespace: boolean): string[] | undefined {
  if (unshare === undefined) return undefined;
  return [
    unshare,
    ...(throughUserNamespace ? ['--user', '--map-root-user'] : []),
    ...['--net', '--ipc', '--'],
  ];
}

/** Returns an existing folder for the new root that hides no needed file. */
function freeFolder({ paths }: FileView): string | undefined {
  return ['/mnt', '/media', '/srv', '/opt'].find(
    (folder) =>
      statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
      !paths.some((file) => file === folder || file.startsWith(`${folder}/`)),
  );
}

/** Returns all parent folders, outermost first. */
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
