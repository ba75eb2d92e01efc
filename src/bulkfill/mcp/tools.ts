import type { Tool } from './tool.ts';
import { dryRunRows } from './tools/dry-run-rows.ts';
import { getDownloadLinks } from './tools/get-download-links.ts';
import { getJobStatus } from './tools/get-job-status.ts';
import { getProblemRows } from './tools/get-problem-rows.ts';
import { getRowSchema } from './tools/get-row-schema.ts';
import { listProjects } from './tools/list-projects.ts';
import { lookAtRow } from './tools/look-at-row.ts';
import { runRows } from './tools/run-rows.ts';

/** The tools in the order in which an agent usually needs them. */
export const tools: readonly Tool[] = [
  listProjects,
  getRowSchema,
  dryRunRows,
  lookAtRow,
  runRows,
  getJobStatus,
  getProblemRows,
  getDownloadLinks,
];
