import type { FastifyRequest } from 'fastify';
import type { ApiError } from '#lib/errors/api-error.ts';
import { refuse } from '../errors.ts';
import type { Claims } from './identity-provider.ts';
import { ProviderRefusal, ProviderUnavailable } from './provider-errors.ts';
import type { NotSignedIn } from './sign-in-identity.ts';

const LINKS_WORK = 'One-time links still work.';

/** Logs why a provider did not sign somebody in, and throws what the person sees. */
export const explainProviderError =
  (request: FastifyRequest) =>
  (error: unknown): never => {
    if (error instanceof ProviderRefusal) {
      request.log.warn(
        { reason: `${error.message}${error.error ? `: ${error.error}` : ''}` },
        'sign-in refused',
      );
      throw refuse('SINGLE_SIGN_ON_FAILED', failedText(error));
    }
    if (error instanceof ProviderUnavailable) {
      request.log.error(
        { err: error.cause ?? error, reason: error.message },
        'single sign-on is unavailable',
      );
      throw refuse(
        'SINGLE_SIGN_ON_UNAVAILABLE',
        `The provider cannot be used: ${error.message}. Try again later, or ask an operator to check the ROWPRESS_OIDC settings. ${LINKS_WORK}`,
      );
    }
    throw error;
  };

function failedText({ error }: ProviderRefusal): string {
  if (error === 'access_denied')
    return 'The provider did not sign you in (access_denied): the sign-in was cancelled, or your account may not use this application.';
  return error === undefined
    ? 'The response of the provider is not valid for this sign-in. Start it again.'
    : `The provider did not sign you in (${error}). Start the sign-in again.`;
}

/** The person that the provider knows is nobody here. The response shows only the person's own claims. */
export function explainRefusal(
  request: FastifyRequest,
  { reason, detail }: NotSignedIn,
  claims: Claims,
): ApiError {
  request.log.warn({ reason: detail ?? reason }, 'sign-in refused');
  if (reason === 'ambiguous')
    return refuse(
      'NOT_INVITED',
      'More than one person or invitation has your e-mail address. Ask an operator to remove all but one under Console, People.',
    );
  if (reason === 'account-unknown')
    return refuse(
      'NOT_INVITED',
      'Your role belongs to an account that does not exist. Ask an operator to check ROWPRESS_OIDC_ROLES.',
    );
  return refuse('NOT_INVITED', notInvitedText(claims));
}

function notInvitedText({ email, email_verified: verified }: Claims): string {
  const ask = 'Ask an operator of this installation to invite you under Console, People';
  if (typeof email !== 'string')
    return `Nobody has invited you, and the provider did not send your e-mail address. ${ask}.`;
  if (verified !== true && verified !== 'true')
    return `The provider has not verified the address ${email}, so it cannot be compared with invitations. Verify it there, or ask an operator for a one-time link.`;
  return `Nobody has invited ${email}. ${ask}, with this address as the name.`;
}
