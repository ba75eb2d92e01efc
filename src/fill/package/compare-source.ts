import type { FormFieldMapping, SourceMetadata, SourcePage } from './layout-schema.ts';

/**
 * Compares the submitted PDF with the one the package was made for. Differences never stop a job and never move a placement;
 * they are the manifest's top-level warnings. Only properties that affect the layout are compared: the displayed size and
 * rotation of pages, and the native fields that are mapped.
 */
export type TopLevelWarningCode =
  | 'PDF_FINGERPRINT_CHANGED'
  | 'PAGE_COUNT_CHANGED'
  | 'PAGE_SIZE_CHANGED'
  | 'PAGE_ROTATION_CHANGED'
  | 'FORM_FIELD_MISSING'
  | 'FORM_FIELD_TYPE_CHANGED'
  | 'SIGNATURE_INVALIDATED'
  | 'XFA_IGNORED'
  | 'COLUMN_LABEL_MOVED';

export interface TopLevelWarning {
  readonly code: TopLevelWarningCode;
  readonly message: string;
  readonly page?: number;
  readonly expected?: string | number;
  readonly actual?: string | number;
}

/** `expected` is the package's source, absent in a layout that was never sealed; `actual` is the submitted PDF. */
export function compareSource(
  expected: SourceMetadata | undefined,
  actual: SourceMetadata,
  mappings: readonly FormFieldMapping[],
): TopLevelWarning[] {
  return [
    ...(expected === undefined ? [] : changedPdf(expected, actual)),
    ...changedFields(expected, actual, mappings),
    ...lostFeatures(actual),
  ];
}

function changedPdf(expected: SourceMetadata, actual: SourceMetadata): TopLevelWarning[] {
  const warnings: TopLevelWarning[] = [];
  if (expected.sha256 !== actual.sha256) {
    warnings.push({
      code: 'PDF_FINGERPRINT_CHANGED',
      message: 'The submitted PDF is not the file this package was made for.',
      expected: expected.sha256,
      actual: actual.sha256,
    });
  }
  if (expected.page_count !== actual.page_count) {
    warnings.push({
      code: 'PAGE_COUNT_CHANGED',
      message: `The submitted PDF has ${actual.page_count} pages, not ${expected.page_count}.`,
      expected: expected.page_count,
      actual: actual.page_count,
    });
  }
  expected.pages.forEach((before, index) => {
    const now = actual.pages[index];
    if (now === undefined) return;
    const page = index + 1;
    if (!sameSize(sizeOf(before), sizeOf(now))) {
      warnings.push({
        code: 'PAGE_SIZE_CHANGED',
        message: `Page ${page} is ${shown(sizeOf(now))} points large, not ${shown(sizeOf(before))}.`,
        page,
        expected: shown(sizeOf(before)),
        actual: shown(sizeOf(now)),
      });
    }
    if (before.rotation !== now.rotation) {
      warnings.push({
        code: 'PAGE_ROTATION_CHANGED',
        message: `Page ${page} is rotated by ${now.rotation} degrees, not by ${before.rotation}.`,
        page,
        expected: before.rotation,
        actual: now.rotation,
      });
    }
  });
  return warnings;
}

function changedFields(
  expected: SourceMetadata | undefined,
  actual: SourceMetadata,
  mappings: readonly FormFieldMapping[],
): TopLevelWarning[] {
  const typesBefore = new Map(expected?.form_fields.map((field) => [field.name, field.type]));
  const typesNow = new Map(actual.form_fields.map((field) => [field.name, field.type]));
  return mappings.flatMap(({ field }): TopLevelWarning[] => {
    const before = typesBefore.get(field);
    const now = typesNow.get(field);
    if (now === undefined) {
      return [
        {
          code: 'FORM_FIELD_MISSING',
          message: `The submitted PDF has no form field ${field}.`,
          expected: before ?? field,
        },
      ];
    }
    return before === undefined || before === now
      ? []
      : [
          {
            code: 'FORM_FIELD_TYPE_CHANGED',
            message: `The form field ${field} is of type ${now}, not ${before}.`,
            expected: before,
            actual: now,
          },
        ];
  });
}

function lostFeatures(actual: SourceMetadata): TopLevelWarning[] {
  const warnings: TopLevelWarning[] = [];
  if (actual.signed) {
    warnings.push({
      code: 'SIGNATURE_INVALIDATED',
      message: 'The submitted PDF was digitally signed; filling it ends the validity of the signature.',
    });
  }
  if (actual.xfa) {
    warnings.push({
      code: 'XFA_IGNORED',
      message: 'The submitted PDF carries an XFA form, which is ignored; its AcroForm fields are used.',
    });
  }
  return warnings;
}

/**
 * Width and height before rotation, in points: a page that is only rotated has a rotation warning and no size warning.
 */
function sizeOf({ box: [left, bottom, right, top], user_unit }: SourcePage): [number, number] {
  return [Math.abs(right - left) * user_unit, Math.abs(top - bottom) * user_unit];
}

/** Producers round differently (595.28, 595.2756). A fiftieth of a point does not affect a placement. */
const SIZE_TOLERANCE = 0.02;
const sameSize = ([aw, ah]: [number, number], [bw, bh]: [number, number]) =>
  Math.abs(aw - bw) <= SIZE_TOLERANCE && Math.abs(ah - bh) <= SIZE_TOLERANCE;
const shown = (size: [number, number]) => size.map((side) => Math.round(side * 100) / 100).join(' x ');
