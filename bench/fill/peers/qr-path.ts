import encodeQR from 'qr';

/** Returns one SVG path for a QR code: a rectangle per horizontal run, the same work for every peer. */
export function qrPath(text: string, size: number): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const unit = size / modules.length;
  let path = '';
  modules.forEach((line, y) => {
    for (let x = 0; x < line.length; x += 1) {
      if (!line[x]) continue;
      let end = x + 1;
      while (line[end]) end += 1;
      path += `M${(x * unit).toFixed(3)} ${(y * unit).toFixed(3)}h${((end - x) * unit).toFixed(3)}v${unit.toFixed(3)}h${((x - end) * unit).toFixed(3)}z`;
      x = end;
    }
  });
  return path;
}
