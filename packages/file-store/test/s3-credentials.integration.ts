import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { StorageUnavailable } from '#src/chunk-store.js';
import { s3Chunks } from '#src/s3-chunks.js';
import { s3Credentials } from '#src/s3-credentials.js';

describe('credentials of S3 without a key', () => {
  let server: Server;
  let url: string;
  let folder: string;
  let issued = 0;
  let signatures: { key: string | undefined; token: unknown }[];
  const environment = process.env;

  /** Container credentials, STS and a bucket, each at its path. */
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    if (request.url === '/role') {
      issued += 1;
      const names = { AccessKeyId: `KEY${issued}`, SecretAccessKey: 's', Token: `token${issued}` };
      response.end(JSON.stringify({ ...names, Expiration: '2020-01-01T00:00:00Z' }));
    } else if (request.url === '/') {
      response.setHeader('content-type', 'text/xml');
      response.end(`<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
        <AccessKeyId>WEB</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>of the pod</SessionToken>
        <Expiration>2040-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`);
    } else {
      const { authorization, 'x-amz-security-token': token } = request.headers;
      signatures.push({ key: /Credential=(\w+)\//.exec(authorization ?? '')?.[1], token });
      response.end();
    }
  };
  const chunks = () =>
    s3Chunks({
      endpoint: url,
      region: 'us-east-1',
      bucket: 'files',
      forcePathStyle: true,
      credentials: s3Credentials({ S3_REGION: 'us-east-1' }),
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-role-'));
    await writeFile(join(folder, 'token'), 'a token of the cluster');
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    signatures = [];
    const own = Object.entries(environment).filter(([name]) => !name.startsWith('AWS_'));
    process.env = {
      ...Object.fromEntries(own),
      // No files of whoever runs the tests, and no instance.
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'absent'),
      AWS_CONFIG_FILE: join(folder, 'absent'),
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    };
  });
  after(async () => {
    process.env = environment;
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  it('are those of the container’s role, renewed once they have expired', async () => {
    process.env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] = `${url}/role`;
    const store = chunks();
    await store.check();
    await store.check();
    expect(signatures).to.deep.equal([
      { key: 'KEY1', token: 'token1' },
      { key: 'KEY2', token: 'token2' },
    ]);
  });

  it('are those of the pod’s role, for a token of its cluster', async () => {
    process.env['AWS_WEB_IDENTITY_TOKEN_FILE'] = join(folder, 'token');
    process.env['AWS_ROLE_ARN'] = 'arn:aws:iam::123456789012:role/parley';
    process.env['AWS_ENDPOINT_URL_STS'] = url;
    await chunks().check();
    expect(signatures).to.deep.equal([{ key: 'WEB', token: 'of the pod' }]);
  });

  it('are missed with words where there are none', async () => {
    const failure: unknown = await chunks()
      .check()
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(StorageUnavailable);
    expect((failure as Error).message).to.match(/S3_ACCESS_KEY_ID, or a role/);
    expect(signatures).to.deep.equal([]);
  });
});
