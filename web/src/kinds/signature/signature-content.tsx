import type { SignatureOverlay } from '#fill/kinds/signature/schema.ts';
import { PictureContent } from '../../canvas/content/picture-content.tsx';
import { pictureUrl } from '../../canvas/content/picture-url.ts';
import { TextContent } from '../../canvas/content/text-content.tsx';
import { useWork } from '../../project/work-store.ts';
import type { ContentProps } from '../kind-view.ts';

/** A typed name is set in the serif's italic, as the engine does. */
export function SignatureContent({
  overlay,
  shown: { text: value },
  assets,
}: ContentProps<SignatureOverlay>) {
  const pictures = useWork((work) => work.pictures?.files);
  if (pictureUrl(value.trim(), assets, pictures) !== null || value.startsWith('assets/'))
    return <PictureContent overlay={overlay} value={value} assets={assets} />;
  const { width, height, align, valign } = overlay;
  const size = Math.max(4, height * 0.7);
  const look = {
    font: 'serif',
    bold: false,
    italic: true,
    size,
    min_size: 4,
    color: '#000000',
    line_height: 1.2,
    padding: 0,
  };
  return (
    <TextContent
      look={{ ...look, width, height, align, valign, wrap: false, fit: 'shrink' }}
      text={value.trim()}
    />
  );
}
