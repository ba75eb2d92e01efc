import { z } from 'zod';
import { fontNameSchema, idSchema } from '../kinds/overlay-members.ts';
import { overlaySchema } from '../kinds/overlay-schema.ts';
import { columnInputSchema } from './column-input-schema.ts';
import { LAYOUT_CAPS } from './layout-caps.ts';
import { sourceMetadataSchema } from './source-metadata.ts';
import { columnKeySchema, formatSchema, showIfSchema, valueSchema } from './value-schema.ts';

export type { Overlay } from '../kinds/overlay-schema.ts';
export type { SourceFormField, SourceMetadata, SourcePage } from './source-metadata.ts';
export type {
  Condition,
  DateFormat,
  NumberFormat,
  ShowIf,
  ValueFormat,
  ValueSource,
} from './value-schema.ts';

/**
 * `layout.json`: where things are on the page and which column feeds them. One schema object provides the type,
 * the validation and the published JSON Schema (docs/schemas/layout.json). It is closed at every level and capped,
 * because people write it by hand and untrusted clients send it.
 *
 * The schema does not check whether a static code value can be encoded: `layout seal` warns of it (`--strict` refuses), and
 * filling skips that overlay and reports it.
 */
export const LAYOUT_FORMAT = 'rowpress.layout';
export const LAYOUT_VERSION = 1;
const BUILT_IN_FONTS = ['sans', 'serif', 'mono'] as const;

/** The entry name of a package asset. It is a flat, plain name, so that it can never act as a path. */
export const ASSET_NAME = /^assets\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const assetNameSchema = z.string().regex(ASSET_NAME, 'must be assets/ and a plain file name');

const columnSchema = z.strictObject({
  key: columnKeySchema,
  label: z.string().max(200).default(''),
  input: columnInputSchema
    .optional()
    .describe('How the values are written; a format of an overlay or a form field takes precedence'),
});

const fontSchema = z.strictObject({
  name: fontNameSchema,
  regular: assetNameSchema.describe('A TrueType or OpenType file among the assets'),
  bold: assetNameSchema.optional(),
  italic: assetNameSchema.optional(),
  bold_italic: assetNameSchema.optional(),
});

/** A value for a native AcroForm field. It counts as an overlay in every sum. */
const formFieldMappingSchema = z.strictObject({
  id: idSchema,
  field: z.string().min(1).max(1000).describe('The full field name, for example employee.name'),
  value: valueSchema,
  font: fontNameSchema.optional().describe("The font of the field's text; by default the field's own"),
  bold: z.boolean().optional().describe("By default as the field's own font"),
  italic: z.boolean().optional().describe("By default as the field's own font"),
  format: formatSchema.optional(),
  show_if: showIfSchema.optional(),
});

export const layoutSchema = z
  .strictObject({
    $schema: z.string().max(500).optional(),
    format: z.literal(LAYOUT_FORMAT),
    version: z.literal(LAYOUT_VERSION),
    name: z.string().max(200).optional(),
    source: sourceMetadataSchema.optional().describe('Added by `layout seal`'),
    columns: z.array(columnSchema).max(LAYOUT_CAPS.columns).default([]),
    fonts: z.array(fontSchema).max(LAYOUT_CAPS.fonts).default([]),
    overlays: z.array(overlaySchema).max(LAYOUT_CAPS.overlays).default([]),
    form_fields: z.array(formFieldMappingSchema).max(LAYOUT_CAPS.formFields).default([]),
  })
  .superRefine((layout, context) => {
    const unique = (members: readonly string[], path: (index: number) => PropertyKey[], what: string) => {
      const seen = new Set<string>();
      members.forEach((member, index) => {
        if (seen.has(member)) {
          context.addIssue({ code: 'custom', path: path(index), message: `${what} ${member} is used twice` });
        }
        seen.add(member);
      });
    };
    const overlays = layout.overlays.length;
    unique(
      layout.columns.map((column) => column.key),
      (index) => ['columns', index, 'key'],
      'the column',
    );
    unique(
      [...layout.overlays, ...layout.form_fields].map((part) => part.id),
      (index) => (index < overlays ? ['overlays', index, 'id'] : ['form_fields', index - overlays, 'id']),
      'the id',
    );
    unique(
      layout.form_fields.map((mapping) => mapping.field),
      (index) => ['form_fields', index, 'field'],
      'the field',
    );
    unique(
      [...BUILT_IN_FONTS, ...layout.fonts.map((font) => font.name)],
      (index) => ['fonts', index - BUILT_IN_FONTS.length, 'name'],
      'the font name',
    );
    const fonts = new Set<string>([...BUILT_IN_FONTS, ...layout.fonts.map((font) => font.name)]);
    const declared = (font: string | undefined, path: PropertyKey[]) => {
      if (font === undefined || fonts.has(font)) return;
      const message = `the font ${font} is neither built in nor declared under fonts`;
      context.addIssue({ code: 'custom', path, message });
    };
    layout.overlays.forEach((overlay, index) => {
      if ('font' in overlay) declared(overlay.font, ['overlays', index, 'font']);
    });
    layout.form_fields.forEach(({ font }, index) => {
      declared(font, ['form_fields', index, 'font']);
    });
  });

export type Layout = z.infer<typeof layoutSchema>;
/** A layout before parsing: members that have a default may be left out. */
export type LayoutInput = z.input<typeof layoutSchema>;
export type LayoutFont = z.infer<typeof fontSchema>;
export type FormFieldMapping = z.infer<typeof formFieldMappingSchema>;
