import type { Config } from './settings.ts';

/** What two settings say together. One of them may be missing here, because it was bad and has been named. */
export function crossChecks(values: Partial<Config>): string[] {
  const { plans, plan, ...tls } = values;
  const problems = storeProblems(values);
  if (plans !== undefined && plan !== undefined && !plans.has(plan))
    problems.push(`ROWPRESS_PLAN must name a plan (${[...plans.keys()].join(', ')}), but is "${plan}"`);
  const isTold = !('tlsCert' in tls && 'tlsKey' in tls);
  if (!isTold && (tls.tlsCert === undefined) !== (tls.tlsKey === undefined))
    problems.push('ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY must be set together');
  if (!isTold && tls.tlsClientCa !== undefined && tls.tlsCert === undefined)
    problems.push('ROWPRESS_TLS_CLIENT_CA needs ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY');
  return problems;
}

/** AWS variables that lie about on a machine matter only where they are used. */
function storeProblems(values: Partial<Config>): string[] {
  const { blobs, awsRegion, awsDefaultRegion, awsAccessKeyId, awsSecretAccessKey } = values;
  if (blobs?.kind !== 's3') return [];
  const problems: string[] = [];
  if ((blobs.endpoint ?? blobs.region ?? awsRegion ?? awsDefaultRegion) === undefined)
    problems.push('ROWPRESS_BLOBS must say its region (…?region=eu-west-1), or AWS_REGION must be set');
  if ((awsAccessKeyId === undefined) !== (awsSecretAccessKey === undefined))
    problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  return problems;
}
