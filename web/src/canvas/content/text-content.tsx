import { paddedSize } from '#fill/kinds/text/padding.ts';
import type { TextOverlay } from '#fill/kinds/text/schema.ts';
import { metricsOf } from '../../core/overlays/text-baseline.ts';
import styles from './content.module.css';
import { fitBox } from './fit-size.ts';
import { projectFamily } from './project-fonts.ts';
import type { ShownPart } from './shown-value.ts';
import './faces.css';

export type TextLook = Pick<
  TextOverlay,
  | 'font'
  | 'bold'
  | 'italic'
  | 'size'
  | 'min_size'
  | 'color'
  | 'align'
  | 'valign'
  | 'line_height'
  | 'wrap'
  | 'fit'
  | 'width'
  | 'height'
  | 'padding'
>;

/** The engine's fonts have their own names (faces.css); a font of the package has its name in the package. */
const FAMILIES: Readonly<Record<string, string>> = {
  sans: '"Rowpress Sans", Arial, sans-serif',
  serif: '"Rowpress Serif", "Times New Roman", serif',
  mono: '"Rowpress Mono", "Courier New", monospace',
};
export const familyOf = (font: string) => FAMILIES[font] ?? `"${projectFamily(font)}", ${FAMILIES.sans}`;
export const VALIGN = { top: 'flex-start', middle: 'center', bottom: 'flex-end' } as const;

const pen = document.createElement('canvas').getContext('2d');
const MEASURED_AT = 100;

export function measured(look: TextLook): (text: string) => number {
  const { bold, italic, font } = look;
  return (text) => {
    if (pen === null) return 0;
    pen.font = `${italic ? 'italic ' : ''}${bold ? '700 ' : ''}${MEASURED_AT}px ${familyOf(font)}`;
    return pen.measureText(text).width / MEASURED_AT;
  };
}

interface Props {
  readonly look: TextLook;
  readonly text: string;
  /** The parts of the text, if they have styles of their own. */
  readonly parts?: readonly ShownPart[] | undefined;
}

export function TextContent({ look, text, parts }: Props) {
  const { padding } = look;
  const { size, tooHigh } = fitBox(text, { ...look, ...paddedSize(look) }, measured(look));
  const { ascent, descent } = metricsOf(look.font);
  // The engine aligns from the first line's ascent to the last line's descent; CSS adds half of the leading at both ends.
  const halfLeading = ((look.line_height - (ascent + descent) / 1000) * size) / 2;
  const wraps = look.wrap || look.fit === 'wrap';
  return (
    <span
      className={styles.text}
      style={{
        inset: `calc(var(--z) * ${padding}px)`,
        justifyContent: VALIGN[tooHigh ? 'top' : look.valign],
      }}
    >
      <span
        style={{
          marginBlock: `calc(var(--z) * ${-halfLeading}px)`,
          fontFamily: familyOf(look.font),
          fontWeight: look.bold ? 700 : 400,
          fontStyle: look.italic ? 'italic' : 'normal',
          fontSize: `calc(var(--z) * ${size}px)`,
          lineHeight: look.line_height,
          color: look.color,
          // As in the engine, a line wider than its box starts at the side where the text's direction starts.
          textAlign: look.align,
          unicodeBidi: 'plaintext',
          whiteSpace: wraps ? 'pre-wrap' : 'pre',
          overflowWrap: wraps ? 'anywhere' : 'normal',
        }}
      >
        {parts === undefined ? text : parts.map((part) => <StyledPart key={part.place} {...part} />)}
      </span>
    </span>
  );
}

function StyledPart({ text, style: { bold, italic, underline, color } }: ShownPart) {
  return (
    <span
      style={{
        fontWeight: bold ? 700 : 400,
        fontStyle: italic ? 'italic' : 'normal',
        textDecoration: underline ? 'underline' : 'none',
        ...(color !== undefined && { color }),
      }}
    >
      {text}
    </span>
  );
}
