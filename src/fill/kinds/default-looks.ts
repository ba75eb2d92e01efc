/** The look of the first text, and of the first picture, that is placed in the editor. */
export const TYPESET_DEFAULTS = {
  font: 'sans',
  bold: false,
  italic: false,
  size: 12,
  min_size: 4,
  color: '#000000',
  padding: 2,
  align: 'left',
  valign: 'middle',
  line_height: 1.2,
  wrap: false,
  fit: 'shrink',
} as const;

export const PICTURE_DEFAULTS = { fit: 'contain', align: 'center', valign: 'middle' } as const;
