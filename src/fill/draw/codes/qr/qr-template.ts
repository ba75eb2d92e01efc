import { BitMatrix } from './bit-matrix.ts';
import { alignmentCentres, LEVELS, type QrLevel, sizeOf } from './qr-capacity.ts';

/**
 * The parts that all symbols of a version share (ISO/IEC 18004, 6.3, 7.7–7.10): the fixed patterns, the order in which data
 * modules are filled, and the eight masks. Every matrix is stored twice, as lines and as columns, because penalties are
 * counted along both.
 */
export interface QrTemplate {
  readonly size: number;
  /** Finder, alignment and timing patterns. The modules of format and version information are light. */
  readonly fixed: Sides;
  /** The position of each bit of the codewords (BitMatrix.place), in the lines and in the columns. */
  readonly linePlaces: Uint16Array;
  readonly columnPlaces: Uint16Array;
  /** The modules that each mask inverts: data modules only. */
  readonly masks: readonly Sides[];
  /** The squares of the three finder patterns. */
  readonly finders: BitMatrix;
  /** For each level and mask: the modules to invert in an unmasked symbol. Created on first use. */
  readonly finishes: (BitMatrix | undefined)[];
}

export interface Sides {
  readonly lines: BitMatrix;
  readonly columns: BitMatrix;
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

const TIMING_LINE = 6;

const templates: QrTemplate[] = [];

export function templateOf(version: number): QrTemplate {
  templates[version] ??= makeTemplate(version);
  return templates[version];
}

/** The modules to invert in an unmasked symbol: the mask, and the format information with its number and the level. */
export function finishOf(template: QrTemplate, version: number, level: QrLevel, mask: number): BitMatrix {
  const index = LEVELS.indexOf(level) * MASKS.length + mask;
  template.finishes[index] ??= makeFinish(template, version, level, mask);
  return template.finishes[index];
}

function makeTemplate(version: number): QrTemplate {
  const size = sizeOf(version);
  const fixed = newSides(size);
  const taken = new BitMatrix(size);
  const finders = new BitMatrix(size);
  const draw = (x: number, y: number, dark: boolean) => {
    taken.set(x, y);
    if (dark) setBoth(fixed, x, y);
  };
  for (const [centreX, centreY] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    drawSquare(centreX, centreY, 4, size, (x, y, ring) => {
      if (ring < 4) finders.set(x, y);
      draw(x, y, ring !== 2 && ring !== 4);
    });
  }
  drawAlignment(version, taken, draw);
  for (let at = 0; at < size; at += 1) {
    if (!taken.has(at, TIMING_LINE)) draw(at, TIMING_LINE, at % 2 === 0);
    if (!taken.has(TIMING_LINE, at)) draw(TIMING_LINE, at, at % 2 === 0);
  }
  for (const [x, y] of [...formatPlaces(size).flat(), ...versionPlaces(version)]) draw(x, y, false);
  const order = dataOrder(taken);
  return {
    size,
    fixed,
    linePlaces: Uint16Array.from(order, ([x, y]) => taken.place(x, y)),
    columnPlaces: Uint16Array.from(order, ([x, y]) => taken.place(y, x)),
    masks: MASKS.map((turned) => {
      const mask = newSides(size);
      for (const [x, y] of order) if (turned(x, y)) setBoth(mask, x, y);
      return mask;
    }),
    finders,
    finishes: [],
  };
}

export function newSides(size: number): Sides {
  return { lines: new BitMatrix(size), columns: new BitMatrix(size) };
}

function setBoth({ lines, columns }: Sides, x: number, y: number): void {
  lines.set(x, y);
  columns.set(y, x);
}

/** Calls back for every module of a square inside the symbol, with its distance from the centre. */
function drawSquare(
  centreX: number,
  centreY: number,
  radius: number,
  size: number,
  draw: (x: number, y: number, ring: number) => void,
): void {
  for (let y = Math.max(0, centreY - radius); y <= Math.min(size - 1, centreY + radius); y += 1) {
    for (let x = Math.max(0, centreX - radius); x <= Math.min(size - 1, centreX + radius); x += 1) {
      draw(x, y, Math.max(Math.abs(x - centreX), Math.abs(y - centreY)));
    }
  }
}

type Draw = (x: number, y: number, dark: boolean) => void;

function drawAlignment(version: number, taken: BitMatrix, draw: Draw): void {
  const centres = alignmentCentres(version);
  // No alignment pattern is drawn yet, so only finder patterns can overlap.
  const free = centres.flatMap((y) => centres.filter((x) => !taken.has(x, y)).map((x) => [x, y] as const));
  for (const [centreX, centreY] of free) {
    drawSquare(centreX, centreY, 2, taken.size, (x, y, ring) => draw(x, y, ring !== 1));
  }
}

type Place = readonly [x: number, y: number];

/** Positions of the fifteen format bits, the lowest first, each twice. The last is the module that is always dark. */
function formatPlaces(size: number): Place[][] {
  const places = Array.from({ length: 15 }, (_, bit): Place[] => {
    // Along the first finder: down column 8 and back along line 8, past the timing lines.
    const near = bit < 8 ? bit + (bit < 6 ? 0 : 1) : 14 - bit + (bit < 9 ? 1 : 0);
    const first: Place = bit < 8 ? [8, near] : [near, 8];
    const second: Place = bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit];
    return [first, second];
  });
  return [...places, [[8, size - 8]]];
}

/** Positions of the eighteen version bits, the lowest first, each twice. There are none below version 7. */
function versionPlaces(version: number): Place[] {
  if (version < 7) return [];
  const far = sizeOf(version) - 11;
  return Array.from({ length: 18 }, (_, bit): Place[] => {
    const [along, across] = [Math.floor(bit / 3), far + (bit % 3)];
    return [
      [across, along],
      [along, across],
    ];
  }).flat();
}

/** The order of data modules: two columns at a time from the right, alternately up and down, without modules in use. */
function dataOrder(taken: BitMatrix): Place[] {
  const { size } = taken;
  const order: Place[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === TIMING_LINE) right -= 1;
    for (let step = 0; step < size; step += 1) {
      const y = upwards ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!taken.has(x, y)) order.push([x, y]);
    }
    upwards = !upwards;
  }
  return order;
}

const LEVEL_BITS: Readonly<Record<QrLevel, number>> = { L: 1, M: 0, Q: 3, H: 2 };
const FORMAT_GENERATOR = 0b10100110111;
const FORMAT_MASK = 0b101010000010010;
const VERSION_GENERATOR = 0b1111100100101;

function makeFinish(template: QrTemplate, version: number, level: QrLevel, mask: number): BitMatrix {
  const { size, masks } = template;
  const finish = new BitMatrix(size);
  finish.bits.set((masks[mask] as Sides).lines.bits);
  const format = withRemainder((LEVEL_BITS[level] << 3) | mask, 10, FORMAT_GENERATOR) ^ FORMAT_MASK;
  formatPlaces(size).forEach((places, bit) => {
    const dark = bit === 15 || ((format >> bit) & 1) === 1;
    if (dark) for (const [x, y] of places) finish.set(x, y);
  });
  const versionBits = withRemainder(version, 12, VERSION_GENERATOR);
  versionPlaces(version).forEach(([x, y], index) => {
    if ((versionBits >> (index >> 1)) & 1) finish.set(x, y);
  });
  return finish;
}

/** `value` followed by the remainder of its division by `generator`, in `bits` bits (annexes C and D). */
function withRemainder(value: number, bits: number, generator: number): number {
  let rest = value << bits;
  for (let high = 31 - Math.clz32(rest); high >= bits; high = 31 - Math.clz32(rest)) {
    rest ^= generator << (high - bits);
  }
  return (value << bits) | rest;
}
