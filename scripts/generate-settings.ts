/** Writes docs/settings.md from the settings table. `--check` only compares. */
import { writeOrCheck } from './generated-file.ts';
import { settingsTable } from './settings-table.ts';

writeOrCheck('docs/settings.md', settingsTable(), 'node scripts/generate-settings.ts');
