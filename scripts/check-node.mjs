/** Ends a script of npm with one line on a Node that cannot run TypeScript. Plain JavaScript, because that Node has to run it. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`rowpress: Rowpress needs Node 22.18 or newer; this is ${process.version}.`);
  process.exit(1);
}
