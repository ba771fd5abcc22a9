import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from './programs.js';
import { temporaryFolder } from './temporary-folder.js';

/** The files of a private CA, and of a server certificate for 127.0.0.1 and localhost. */
export type PrivateCa = {
  /** What a client trusts: NODE_EXTRA_CA_CERTS. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
};

/** Suites that call this must call needs('openssl'). */
export async function createPrivateCa(): Promise<PrivateCa> {
  const folder = await temporaryFolder();
  const [ca, caKey] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  await selfSigned('/CN=Parley test CA', ['-keyout', caKey, '-out', ca]);
  await selfSigned('/CN=Parley test server', [
    ...['-CA', ca, '-CAkey', caKey, '-keyout', key, '-out', certificate],
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
  ]);
  return { ca, certificate, key };
}

/** Signed with its own key, unless `more` names another. */
async function selfSigned(subject: string, more: string[]): Promise<void> {
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await promisify(execFile)(programPath('openssl'), [
    ...['req', '-x509', '-days', '2', '-subj', subject],
    ...newKey,
    ...more,
  ]);
}
