/** The software bill of materials of the npm package, in CycloneDX 1.5. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Component {
  name: string;
  [member: string]: unknown;
}

/** Packages that only build the web app. Its other packages are parts of the files in web/dist. */
const BUILDS = /^(@types\/.*|vite|typescript)$/;

/** Lists the production dependencies of all platforms and the packages that are bundled into the web app. */
export function makeSbom(): string {
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--omit',
    'dev',
    '--package-lock-only',
  ];
  const printed = execFileSync('npm', args, {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const sbom = JSON.parse(printed) as { metadata: { component: Component }; components: Component[] };
  // npm names the root after its folder.
  sbom.metadata.component.name = 'rowpress';
  const listed = new Set(sbom.components.map(({ purl }) => purl));
  sbom.components.push(...bundledPackages().filter(({ purl }) => !listed.has(purl)));
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

function bundledPackages(): Component[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const web = JSON.parse(readFileSync('web/package.json', 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string> | undefined
  >;
  const waiting = Object.keys({ ...web.dependencies, ...web.devDependencies }).filter(
    (name) => !BUILDS.test(name),
  );
  const found = new Map<string, Locked>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const locked = packages[`web/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    if (locked === undefined || found.has(name)) continue;
    found.set(name, locked);
    waiting.push(...Object.keys(locked.dependencies ?? {}));
  }
  return [...found].map(([name, { version, license }]) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [{ name: 'rowpress:bundled', value: 'web/dist' }],
    ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
  }));
}
