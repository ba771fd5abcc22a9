export { CLUSTER_USER, createCluster } from './cluster-files.js';
export { openDataDir } from './cluster-location.js';
export { EmbeddedEngineError, type EmbeddedServer } from './embedded-engine.js';
export { freePort } from './free-port.js';
export {
  DataDirInUseError,
  connectOrStartEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './postgres.js';
export { bundledBinaries, inspectBinaries, type PostgresBinaries } from './postgres-binaries.js';
export { spawnPostmaster } from './postmaster.js';
export { isRunning } from './process-table.js';
export { unprivilegedUser } from './run-as.js';
export { readSecretsKey, secretsKeyFile } from './secrets-key.js';
export { startEmbeddedValkey } from './valkey.js';
