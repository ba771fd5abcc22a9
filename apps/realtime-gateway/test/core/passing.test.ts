import { expect } from 'chai';
import { clientEvents, clientRoutes, type ClientRoute } from '#src/core/client-routes.js';
import { clientPassing, providerPassing } from '#src/core/passing.js';
import { providerEvents, providerRoutes, type ProviderRoute } from '#src/core/provider-routes.js';
import type { Input, SessionState } from '#src/core/session.js';
import { step } from '#src/core/step.js';
import { configuring, greeting, running } from './settings.js';

const closed: SessionState = { ...running, phase: 'closed' };
const spoken = { ...running, spoken: true };
const atDoor: SessionState = {
  ...spoken,
  settings: { ...spoken.settings, door: { conversationId: 'c' } },
};
const clientNames = Object.keys(clientRoutes) as ClientRoute[];
const providerNames = Object.keys(providerRoutes) as ProviderRoute[];

/** Whether the core forwards a frame as it is, and leaves everything else alone. */
function isOnlyForwarded(state: SessionState, input: Input & { frame: object }): boolean {
  const { state: next, effects } = step(state, input);
  const [effect, ...others] = effects;
  const isForwarded = effect !== undefined && 'frame' in effect && effect.frame === input.frame;
  return isForwarded && others.length === 0 && next === state;
}

const frameOf = (events: Readonly<Record<string, string>>, route: string) => {
  const type = Object.keys(events).find((name) => events[name] === route) ?? 'unknown';
  return { data: Buffer.from(JSON.stringify({ type })), binary: route === 'binary' };
};
const fromClient = (route: ClientRoute) =>
  ({ kind: 'client.frame', route, frame: frameOf(clientEvents, route), now: 0 }) as const;
const fromProvider = (route: ProviderRoute) =>
  ({ kind: 'provider.frame', route, frame: frameOf(providerEvents, route), now: 0 }) as const;

describe('a frame that passes', () => {
  for (const route of clientNames.filter((name) => clientPassing(running)?.[name]))
    it(`is one of a client that the core would only forward: ${route}`, () => {
      expect(isOnlyForwarded(running, fromClient(route))).to.equal(true);
    });

  for (const [what, state] of Object.entries({ running, spoken, atDoor }))
    for (const route of providerNames.filter((name) => providerPassing(state, false)?.[name]))
      it(`is one of a provider that the core would only forward: ${route}, ${what}`, () => {
        expect(isOnlyForwarded(state, fromProvider(route))).to.equal(true);
      });

  it('is all audio but what somebody waits for', () => {
    expect(providerPassing(running, false)).to.have.property('audio', false);
    expect(providerPassing(spoken, false)).to.have.property('audio', true);
    expect(providerPassing(spoken, true)).to.have.property('audio', false);
  });

  it('is none before the session runs, and none after', () => {
    for (const state of [greeting, configuring, closed]) {
      expect(clientPassing(state)).to.equal(undefined);
      expect(providerPassing(state, false)).to.equal(undefined);
    }
  });
});
