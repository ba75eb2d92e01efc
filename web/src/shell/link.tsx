import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { addressOf } from './base-path.ts';
import { go } from './router.ts';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string };

/** An ordinary link that stays in the app when clicked plainly, and opens a tab when the person asks for one. */
export function Link({ to, onClick, ...rest }: Props) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain) return;
    event.preventDefault();
    go(to);
  };
  return <a {...rest} href={addressOf(to)} onClick={follow} />;
}
