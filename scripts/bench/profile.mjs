// Loaded into the gateway's process: leaves its CPU profile where PROFILE_FOLDER says.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.once('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    const file = `gateway-${process.pid}.cpuprofile`;
    writeFileSync(join(process.env.PROFILE_FOLDER, file), JSON.stringify(profile));
  });
});
