// The model's provider fails. A session gets another connection, and its answer is requested again.
import { between } from './timing.mjs';

export const provider = {
  'provider killed': {
    what: 'kill -9 of the provider in the middle of answers; it is back within a second or two',
    quick: true,
    seconds: 3,
    start: ({ stage }) => stage.kill(stage.cluster.simulator).then(() => ({})),
  },
  'provider connections cut': {
    what: 'every connection to the provider is reset, and new ones are accepted',
    seconds: 3,
    start: async ({ stage }) => void stage.roads.provider.cut(),
  },
  'provider refusing': {
    what: 'every connection to the provider is reset, and so is every new one, for 5 s',
    seconds: 5,
    start: ({ stage: { roads } }) =>
      between(
        () => {
          roads.provider.refuse();
          roads.provider.cut();
        },
        () => roads.provider.heal(),
      ),
  },
  'provider hanging': {
    what: 'SIGSTOP of the provider for 5 s',
    seconds: 5,
    start: ({ stage: { cluster } }) =>
      between(
        () => cluster.simulator.signal('SIGSTOP'),
        () => cluster.simulator.signal('SIGCONT'),
      ),
  },
  'provider drops in mid-answer': {
    what: 'the provider cuts each session in the middle of an answer',
    seconds: 3,
    start: said((name) => `!say This is the begin !drop ${name}`),
  },
  'provider goes silent in mid-answer': {
    what: 'the provider sends nothing any more, not even pongs, to each session once',
    seconds: 45,
    start: said((name) => `!say This is the begin !hang ${name}`),
  },
  'provider sends 3.5 MB frames': {
    what: 'one frame of 3.5 MB to each session, three times',
    seconds: 3,
    start: said(() => '!oversize 2600000 !oversize 2600000 !oversize 2600000 !say Done.'),
  },
  'provider sends unknown events': {
    what: 'events of types that nobody knows, and binary frames',
    seconds: 2,
    start: said(() => '!raw {"type":"chaos.unknown","deep":[[{}]]} !binary 1000 !say Done.'),
  },
  'provider sends broken JSON': {
    what: 'frames that are not JSON, or not objects',
    seconds: 2,
    start: said(() => '!raw {"type": !raw null !raw [] !raw "x" !raw {"type":7} !say Done.'),
  },
};

/** What every session's user says. */
function said(words) {
  return async ({ population }) => {
    for (const client of population.clients) client.say(words(client.name.replaceAll('/', '-')));
  };
}
