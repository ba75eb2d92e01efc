import type { EngineCalls } from './engine-client.ts';

export class EngineHost implements EngineCalls {
  openSource = notYet;
  openPackage = notYet;
  openRows = notYet;
  closeRows = notYet;
  readRows = notYet;
  rowsAsCsv = notYet;
  checkLayout = notYet;
  previewRow = notYet;
  longestValues = notYet;
  preflight = notYet;
}

const notYet = () => Promise.reject(new Error('bug: the engine is not there yet'));
