import type { Config } from '#config.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';

interface FastifyListening {
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
}

/** Listens. If the address is not available, the error tells the operator which setting to change. */
export async function listen(
  app: FastifyListening,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new OperatorError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another one.`,
      );
    throw new OperatorError(`Cannot listen on ${host}:${port}: ${message}.`);
  }
}
