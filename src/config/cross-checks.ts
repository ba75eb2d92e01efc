import type { Config } from './settings.ts';

/** Checks combinations of settings. A setting is undefined here if it was invalid and has been reported. */
export function crossChecks(values: Partial<Config>): string[] {
  const { plans, plan, ...tls } = values;
  const problems = [...storeProblems(values), ...deliveryProblems(values), ...replicaProblems(values)];
  if (plans !== undefined && plan !== undefined && !plans.has(plan))
    problems.push(`ROWPRESS_PLAN must be one of ${[...plans.keys()].join(', ')}; received "${plan}"`);
  if (values.verify === true && 'publicUrl' in values && values.publicUrl === undefined)
    problems.push('ROWPRESS_VERIFY=true needs ROWPRESS_PUBLIC_URL: documents contain this address');
  const isTold = !('tlsCert' in tls && 'tlsKey' in tls);
  if (!isTold && (tls.tlsCert === undefined) !== (tls.tlsKey === undefined))
    problems.push('ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY must be set together');
  if (!isTold && tls.tlsClientCa !== undefined && tls.tlsCert === undefined)
    problems.push('ROWPRESS_TLS_CLIENT_CA needs ROWPRESS_TLS_CERT and ROWPRESS_TLS_KEY');
  return problems;
}

function replicaProblems(values: Partial<Config>): string[] {
  const isAlone = 'databaseUrl' in values && values.databaseUrl === undefined;
  return isAlone && values.databaseReadUrl !== undefined ? ['DATABASE_READ_URL needs DATABASE_URL'] : [];
}

/** With cloud delivery, clients read a ZIP from the object store itself. */
function deliveryProblems({ delivery, blobs, encryptBlobs }: Partial<Config>): string[] {
  if (delivery !== 'cloud') return [];
  const problems: string[] = [];
  if (blobs !== undefined && blobs.kind !== 's3')
    problems.push(
      'ROWPRESS_DELIVERY=cloud needs an object store: set ROWPRESS_BLOBS to s3://…, or use direct',
    );
  if (encryptBlobs === true)
    problems.push(
      'ROWPRESS_DELIVERY=cloud cannot be combined with ROWPRESS_ENCRYPT_BLOBS=true: the object store would send encrypted bytes to clients; use direct',
    );
  return problems;
}

/** Checks the AWS variables only if the blob store uses them; other programs may have set them. */
function storeProblems(values: Partial<Config>): string[] {
  const { blobs, awsRegion, awsDefaultRegion, awsAccessKeyId, awsSecretAccessKey } = values;
  if (blobs?.kind !== 's3') return [];
  const problems: string[] = [];
  if ((blobs.endpoint ?? blobs.region ?? awsRegion ?? awsDefaultRegion) === undefined)
    problems.push('ROWPRESS_BLOBS must include a region (…?region=eu-west-1), or AWS_REGION must be set');
  if ((awsAccessKeyId === undefined) !== (awsSecretAccessKey === undefined))
    problems.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together');
  return problems;
}
