import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { addressOf } from './base-path.ts';
import { go } from './router.ts';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: string };

/** A link that navigates inside the app on a plain click. Modified clicks open a tab, as usual. */
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
