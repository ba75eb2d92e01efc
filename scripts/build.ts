/** Everything that is made from the sources ahead of a start, as far as it is out of date. Run by npm after an install and before a start. */
await import('./build-programs.ts');
await import('./build-web.ts');
