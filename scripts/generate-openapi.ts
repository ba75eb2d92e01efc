/** Writes docs/openapi.json from the schemas of all surfaces. `--check` only compares. */
import { writeOrCheck } from './generated-file.ts';
import { openapiDocument } from './openapi-document.ts';

writeOrCheck('docs/openapi.json', await openapiDocument(), 'node scripts/generate-openapi.ts');
