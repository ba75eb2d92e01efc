import * as oidc from 'openid-client';

/** The provider did not respond, or does not accept this client. People cannot sign in until that is solved. */
export class ProviderUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ProviderUnavailable';
  }
}

/** This sign-in is not valid: the provider rejected it, or its response failed a check. */
export class ProviderRefusal extends Error {
  /** The error code of the provider, such as `access_denied`. */
  readonly error: string | undefined;

  constructor(message: string, error?: string) {
    super(message);
    this.name = 'ProviderRefusal';
    this.error = error;
  }
}

/** Errors of the token endpoint about this installation, and not about the person (RFC 6749, section 5.2). */
const CLIENT_ERRORS = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type']);
/** The provider or the network failed. */
const TRANSIENT = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

export function toProviderError(error: unknown): Error {
  if (error instanceof ProviderUnavailable || error instanceof ProviderRefusal) return error;
  if (error instanceof oidc.AuthorizationResponseError)
    return new ProviderRefusal('the provider rejected the sign-in', errorCode(error.error));
  if (error instanceof oidc.ResponseBodyError)
    return CLIENT_ERRORS.has(error.error)
      ? new ProviderUnavailable(`the provider does not accept this client: ${errorCode(error.error)}`, error)
      : new ProviderRefusal('the provider rejected the code', errorCode(error.error));
  if (error instanceof oidc.ClientError && !TRANSIENT.has(error.code ?? ''))
    return new ProviderRefusal(`the response failed a check: ${error.code ?? error.message}`);
  return new ProviderUnavailable('the provider did not respond as expected', error);
}

/** Error codes appear in responses and logs; anything else may contain input. */
const errorCode = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown');
