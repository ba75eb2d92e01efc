import { describe, expect, it } from 'vitest';
import { turnOf } from './turn.ts';

describe('turnOf', () => {
  it('[FILL67] quarter turns: exact', () => {
    expect(turnOf(0)).toEqual({ sin: 0, cos: 1 });
    expect(turnOf(90).sin).toBe(1);
    expect(Math.abs(turnOf(90).cos)).toBe(0);
    expect(turnOf(180).cos).toBe(-1);
    expect(turnOf(270).sin).toBe(-1);
    expect(turnOf(-90)).toEqual(turnOf(270));
    expect(turnOf(360)).toEqual(turnOf(0));
  });

  it('[FILL67] any angle: agrees with sine and cosine to more digits than are printed', () => {
    for (let degrees = -360; degrees <= 360; degrees += 0.7) {
      const { sin, cos } = turnOf(degrees);
      expect(Math.abs(sin - Math.sin((degrees * Math.PI) / 180))).toBeLessThan(1e-12);
      expect(Math.abs(cos - Math.cos((degrees * Math.PI) / 180))).toBeLessThan(1e-12);
    }
  });
});
