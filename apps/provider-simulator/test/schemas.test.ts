import { expect } from 'chai';
import { clientEventShapes } from '#src/core/client-events.js';
import { responseShape, sessionShape } from '#src/core/session-shape.js';
import type { Shape } from '#src/core/shape.js';
import { serverEventTypes } from '#src/core/server-events.js';
import { describeWithProviderData, recordings } from './provider-data.js';
import { loadProviderSchemas, propertiesOf } from './provider-schemas.js';
import { Rehearsal } from './rehearsal.js';
import { scenarios } from './scenarios.js';

describeWithProviderData('the provider’s schemas', (folder) => {
  const check = loadProviderSchemas(folder);
  const sent = new Set<string>();

  for (const { name, lines } of recordings(folder))
    it(`fit the recording ${name} with the deviations allowed here`, () => {
      const problems = lines
        .filter(({ from }) => from === 'provider')
        .flatMap(({ event }) => check(event).map((problem) => `${event.type}: ${problem}`));
      expect(problems).to.deep.equal([]);
    });

  for (const [name, play] of Object.entries(scenarios))
    it(`fit every event of ${name}`, () => {
      const { events } = play();
      for (const event of events) {
        sent.add(event.type);
        expect(check(event), event.type).to.deep.equal([]);
      }
    });

  it('refuse an event that lacks a field or has one too many', () => {
    const event = new Rehearsal().ask('hello').settle().last('response.output_audio.done');
    expect(check(event)).to.deep.equal([]);
    expect(check({ ...event, novelty: 1 })).to.have.length(1);
    Reflect.deleteProperty(event, 'item_id');
    expect(check(event)).to.have.length(1);
  });

  it('were tried with every event that can be sent', () => {
    expect([...sent].sort()).to.deep.equal([...serverEventTypes].sort());
  });

  const fieldsOf = (shape: Shape | undefined): string[] =>
    shape?.kind === 'object' ? Object.keys(shape.fields) : [];

  it('know the same client events and fields', () => {
    const known = propertiesOf(folder).clientEvents;
    expect(Object.keys(clientEventShapes)).to.have.members(Object.keys(known));
    for (const [type, fields] of Object.entries(known))
      expect(fieldsOf(clientEventShapes[type as 'response.create']), type).to.have.members(fields);
  });

  it('know the same fields of a session and of a response', () => {
    expect(fieldsOf(sessionShape)).to.have.members(propertiesOf(folder).session);
    expect(fieldsOf(responseShape)).to.have.members(propertiesOf(folder).response);
  });
});
