import { z } from 'zod';
import { responseHeaders } from '#http/openapi/response-headers.ts';
import { createHeaders, downloadAnswerHeaders, downloadHeaders } from '../documented-answers.ts';
import { MAX_NAME_CHARS } from './project-reference.ts';

/** The parts of the OpenAPI document that the route schemas of projects cannot express. */
const binary = (description: string) => z.string().meta({ format: 'binary', description });
const shape = {
  name: z.string().min(1).max(MAX_NAME_CHARS).describe('Unique in the account'),
  pdf: binary('The source PDF'),
  doqlo_file: binary('The sealed layout package').optional(),
  layout: z
    .string()
    .optional()
    .describe('A layout as JSON that the server seals, instead of doqlo_file. The key needs the scope seal.'),
};
const example = {
  name: 'Certificate',
  pdf: '(bytes of certificate.pdf)',
  doqlo_file: '(bytes of certificate.doqlo)',
};

export const newProjectBody = z.strictObject(shape).meta({
  id: 'CreateProjectForm',
  description: 'The name and the files of a project',
  oneOf: [{ required: ['doqlo_file'] }, { required: ['layout'] }],
  examples: [example],
});

export const projectBody = z
  .strictObject(shape)
  .partial()
  .meta({
    id: 'UpdateProjectForm',
    description: 'The parts of a project that change; at least one is required',
    minProperties: 1,
    examples: [{ doqlo_file: example.doqlo_file }],
  });

export const newProjectHeaders = { 'Idempotency-Key': createHeaders['Idempotency-Key'] };

export const ifMatchHeader = {
  'If-Match': {
    type: 'string',
    pattern: '^(\\*|"[0-9]+")$',
    description:
      'The version that this request changes, in quotes. If there is a later one, the response is 412.',
    examples: ['"1"'],
  },
};

const { Location, ETag } = responseHeaders;
export const createdAnswerHeaders = {
  201: {
    Location,
    ETag,
    'Idempotent-Replayed': responseHeaders['Idempotent-Replayed'],
  },
};
export const taggedAnswerHeaders = { 200: { ETag } };

const { 302: _redirect, ...fileHeaders } = downloadAnswerHeaders;
export const fileAnswerHeaders = fileHeaders;
export const pictureHeaders = { 'If-None-Match': downloadHeaders['If-None-Match'] };
export const pictureAnswerHeaders = {
  200: { ETag, 'Content-Disposition': responseHeaders['Content-Disposition'] },
  304: { ETag },
};

const file = (description: string, mediaType: string) => ({
  description,
  content: { [mediaType]: { type: 'string', format: 'binary' } },
});
const ranged = (what: string, mediaType: string) => ({
  200: file(`The whole ${what}`, mediaType),
  206: file('The requested byte range', mediaType),
  304: { description: `The ${what} matches \`If-None-Match\`` },
});

export const pdfAnswers = ranged('PDF', 'application/pdf');
export const packageAnswers = ranged('package', 'application/octet-stream');
export const pictureAnswers = {
  200: file('The page as a PNG image', 'image/png'),
  304: { description: 'The picture matches `If-None-Match`' },
};
export const schemaAnswers = {
  200: {
    description: 'A JSON Schema (2020-12) of one row, keyed by labels',
    content: {
      'application/schema+json': {
        type: 'object',
        examples: [
          {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            title: 'Certificate',
            type: 'object',
            properties: { Name: { type: ['string', 'number', 'boolean', 'null'], maxLength: 10_000 } },
            required: ['Name'],
            additionalProperties: true,
          },
        ],
      },
    },
  },
};
export const sampleAnswers = {
  200: {
    description: 'The labels as header and one example row',
    content: { 'text/csv': { type: 'string', examples: ['Name,Number\r\nName,Number\r\n'] } },
  },
};
