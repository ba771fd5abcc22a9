export { freePort } from '@parley/embedded';
export { countedStores, type CountedStores } from './counted-stores.js';
export { fuzz } from './fuzz.js';
export { startIdentityProvider, type IdentityProvider } from './identity-provider.js';
export type { KillableServer } from './killable-server.js';
export { startPostgresServer } from './postgres-server.js';
export { startPostgresStandby, type PostgresStandby } from './postgres-standby.js';
export { needs, type Need, type NeedName } from './needs.js';
export { findProgram, programPath, toolsFolder } from './programs.js';
export { plainAgent } from './plain-agent.js';
export { createPrivateCa, type PrivateCa } from './private-ca.js';
export {
  appProgram,
  runNode,
  runProgram,
  type ProgramOptions,
  type RunningProgram,
} from './run-program.js';
export { startRedisCluster, type RedisCluster, type SlotMigration } from './redis-cluster.js';
export type { RedisGuard } from './redis-guard.js';
export { startRedisSentinel, type SentinelOptions } from './redis-sentinel.js';
export { startS3Server, type S3Server } from './s3-server.js';
export { startRedisServer, type RedisServerOptions } from './redis-server.js';
export type { FailoverOptions, RedisTopology } from './redis-topology.js';
export {
  recordings,
  startReplayProvider,
  type RecordedEvent,
  type ReplayProvider,
} from './replay-provider.js';
export { startStandalone, type Standalone } from './standalone.js';
export { tcpProxy, type TcpProxy, type TcpProxyOptions } from './tcp-proxy.js';
export { teardown } from './teardown.js';
export { temporaryFolder } from './temporary-folder.js';
export {
  migratedDatabase,
  testDatabase,
  type MigratedDatabase,
  type TestDatabase,
} from './test-database.js';
export { testHost, type TestHost } from './test-host.js';
export { testRedis, type TestRedis } from './test-redis.js';
export { waitFor, type WaitOptions } from './wait-for.js';
export { helloPdf } from './hello-pdf.js';
export { wavFile } from './wav-file.js';
