/** The kernel's restrictions on a child that parses uploads, in addition to Node's permission model, which always applies. */
export interface SandboxLayers {
  /** Own mount, PID, network, IPC and user namespaces. The child sees only its program, in a read-only file system. */
  readonly namespaces: boolean;
  /** A filter that denies sockets, signals, tracing, new processes and mounts. */
  readonly seccomp: boolean;
  /** A program that the child starts cannot gain more rights than the child. */
  readonly no_new_privs: boolean;
  /** The child is in a control group with a memory limit and a limit on processes. */
  readonly cgroup: boolean;
  /** The child does not run as root. */
  readonly user: boolean;
}

export const LAYER_NAMES = ['namespaces', 'seccomp', 'no_new_privs', 'cgroup', 'user'] as const;

/** Tells the operator how to enable a missing layer. */
export const LAYER_ADVICE: Readonly<Record<keyof SandboxLayers, string>> = {
  namespaces:
    'install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap) and allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns)',
  seccomp: 'install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap)',
  no_new_privs: 'install util-linux, which has setpriv, or bubblewrap',
  cgroup: 'run under systemd with Delegate=memory pids and DelegateSubgroup=server',
  user: 'install util-linux, which has setpriv, and make the program files readable for other users',
};

export function describeLayers(layers: SandboxLayers): string {
  const active = LAYER_NAMES.filter((name) => layers[name]);
  const missing = LAYER_NAMES.filter((name) => !layers[name]);
  const list = active.length === 0 ? "only Node's permission model" : active.join(', ');
  return missing.length === 0 ? list : `${list}; without ${missing.join(', ')}`;
}
