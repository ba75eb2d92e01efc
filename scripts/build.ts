/** Builds everything that is out of date. npm runs this after an install and before a start. */
await import('./build-programs.ts');
await import('./build-docs.ts');
await import('./build-web.ts');
