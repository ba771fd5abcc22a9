// Loaded into a process of Parley: leaves its CPU profile where PROFILE_FOLDER says.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, join } from 'node:path';

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');
process.once('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    const app = basename(process.argv[1], '.js');
    const file = `${app}-${process.pid}.cpuprofile`;
    writeFileSync(join(process.env.PROFILE_FOLDER, file), JSON.stringify(profile));
  });
});
