import { z } from 'zod';

/** Where the browser continues to sign in. */
export const startedSignOn = z.strictObject({ authorization_url: z.string() });
export type StartedSignOn = z.infer<typeof startedSignOn>;
