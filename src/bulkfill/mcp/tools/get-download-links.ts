import { z } from 'zod';
import type { ExportJob } from '#bulkfill/contract.ts';
import { readJson } from '../api.ts';
import { jobIdInput, jobPath, jobView } from '../jobs.ts';
import { defineTool, reads } from '../tool.ts';
import { ToolFailure } from '../tool-failure.ts';

export const getDownloadLinks = defineTool({
  name: 'get_download_links',
  title: 'Get the download links of a job',
  description:
    'Get links to the ZIP with all documents of a completed job, to its manifest and to the PDF of one row. A download needs the API key of this account in the Authorization header; the links contain no secret.',
  annotations: reads,
  input: z.strictObject({ job_id: jobIdInput }),
  run: async (context, { job_id }) => {
    const job = await readJson<ExportJob>(context, jobPath(job_id));
    const path = job.result?.download_url;
    if (path === null || path === undefined) throw noFiles(job);
    // The path in the job may be relative to the server, whose address can have a path of its own.
    const zip = new URL(`${context.api.baseUrl}${path}`).href;
    const links = zip.replace(/\/download$/, '');
    return {
      data: {
        ...jobView(job),
        zip_url: zip,
        manifest_url: `${links}/manifest`,
        row_pdf_url_template: `${links}/rows/{row_number}.pdf`,
        authorization: 'Bearer <API key>',
        example: `curl --fail --location --header "Authorization: Bearer $ROWPRESS_API_KEY" --output ${job.job_id}.zip ${zip}`,
      },
    };
  },
});

function noFiles({ status, result }: ExportJob): ToolFailure {
  const reason = result === undefined ? `The job is ${status}` : 'The files of the job have expired';
  return new ToolFailure('EXPORT_DELIVERY_NOT_FOUND', `${reason}, so there is nothing to download.`);
}
