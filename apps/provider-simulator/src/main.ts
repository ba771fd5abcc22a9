import { runProcess } from '@parley/service-kit';
import { startSimulator } from './simulator.js';

await runProcess('provider-simulator', { env: process.env }, async ({ config, ...own }) => {
  const { HOST: host, PORT } = config;
  // Nobody looks into the connections of a process that runs on its own.
  const settings = { keepFrames: 0 };
  const simulator = await startSimulator({ host, port: PORT, logger: own.logger, settings });
  own.lifecycle.add('simulator', () => simulator.close());
  return { port: simulator.port };
});
