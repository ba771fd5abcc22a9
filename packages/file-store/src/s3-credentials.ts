export type S3Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
};

type Keys = {
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_REGION: string;
};

/**
 * The key from the settings, or credentials from AWS's provider chain: the environment, or the role
 * of a pod, a task or an instance. The chain renews expiring credentials. It is large, so it is
 * loaded only if it is used.
 */
export function s3Credentials(settings: Keys): () => Promise<S3Credentials> {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (accessKeyId && secretAccessKey)
    return () => Promise.resolve({ accessKeyId, secretAccessKey });
  if (accessKeyId || secretAccessKey)
    throw new Error('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together');
  let chain: Promise<() => Promise<S3Credentials>> | undefined;
  return async () => {
    chain ??= import('@aws-sdk/credential-provider-node').then(({ defaultProvider }) =>
      defaultProvider({ clientConfig: { region: settings.S3_REGION } }),
    );
    return (await chain)();
  };
}
