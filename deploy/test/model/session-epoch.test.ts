import { expect } from 'chai';
import { explore } from './explore.js';
import { everything, sessionEpoch, type Guards, type Scene, type World } from './session-epoch.js';

const scenes = {
  'two write': { writes: true, calls: false, waits: false, successors: ['b', 'c'] },
  'one writes and calls': { writes: true, calls: true, waits: false, successors: ['b'] },
  'two call': { writes: false, calls: true, waits: false, successors: ['b', 'c'] },
  'two call, and wait': { writes: false, calls: true, waits: true, successors: ['b', 'c'] },
} as const satisfies Record<string, Scene>;

describe('every interleaving of a session’s pod with those that would continue it', () => {
  const enough = {
    'two write': ({ sessions }: World) => sessions.b.movedTo === 'c' && sessions.c.ended,
    'one writes and calls': ({ call, runs }: World) => call.session === 'b' && runs === 1,
    'two call': ({ call, runs, sessions }: World) =>
      sessions.b.movedTo === 'c' && call.session === 'c' && runs === 1,
    'two call, and wait': ({ call, runs, sessions }: World) =>
      sessions.b.movedTo === 'c' && call.session === 'c' && call.started && runs === 1,
  };
  for (const scene of Object.keys(scenes) as (keyof typeof scenes)[])
    it(`has at most one successor, which knows of the call, and nothing of the former pod (${scene})`, () => {
      const { worlds, violation } = explore(sessionEpoch(everything, scenes[scene]));
      expect(violation, violation?.trace.join(', ')).to.equal(undefined);
      expect(worlds.length).to.be.above(250);
      expect(worlds.some(enough[scene])).to.equal(true);
    });

  it('runs no tool of the former pod even if a claim did not look at the session', () => {
    const guards = { ...everything, claimWhileOn: false };
    expect(explore(sessionEpoch(guards, scenes['one writes and calls'])).violation).to.equal(
      undefined,
    );
  });

  const mutations: [keyof Guards, keyof typeof scenes, string][] = [
    ['locks', 'two write', 'the former pod wrote after it had lost the session'],
    ['fencedJournal', 'two write', 'the former pod wrote after it had lost the session'],
    ['fencedCalls', 'two call', 'the former pod wrote after it had lost the session'],
    ['movedOnce', 'two write', 'two pods continued it'],
    ['claimOwn', 'two call', 'the former pod started a tool after it had lost the session'],
    ['keptOnce', 'two call, and wait', 'the tool ran twice'],
    ['resumeOwn', 'two call, and wait', 'the tool ran twice'],
    ['endClaimed', 'two call', 'the model of the next pod does not know of the call'],
    ['pastLast', 'two call', 'the model of the next pod does not know of the call'],
    ['sweep', 'two call', 'the call was forgotten'],
  ];
  for (const [guard, scene, problem] of mutations)
    it(`would be wrong without ${guard}: ${problem}`, () => {
      const guards = { ...everything, [guard]: false };
      expect(explore(sessionEpoch(guards, scenes[scene])).violation?.problem).to.equal(problem);
    });
});
