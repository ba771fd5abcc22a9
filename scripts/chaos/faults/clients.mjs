// Clients that stop reading: a process of its own, with some sessions that are being sent a lot.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const sessions = 6;

export const clients = {
  'client paused': {
    what: 'SIGSTOP of a process with 6 clients for 20 s, while each is sent 30 MB',
    seconds: 20,
    async start({ stage, population }) {
      const { origin, agentId, cluster } = stage;
      const args = [origin, agentId, JSON.stringify(cluster.credentials), String(sessions)];
      const child = fork(join(import.meta.dirname, '../paused-clients.mjs'), args);
      await once(child, 'message');
      child.kill('SIGSTOP');
      return {
        async stop() {
          child.kill('SIGCONT');
          child.send('probe');
          const [ends] = await once(child, 'message');
          child.kill();
          // A plain one was disconnected for reading too slowly, or its network held everything.
          for (const { resumable, end } of ends)
            if (end !== undefined && (resumable || end !== 1013))
              population.ledger.surprises.push(`a paused client was lost: ${end}`);
        },
      };
    },
  },
};
