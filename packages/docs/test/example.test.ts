import { expect } from 'chai';
import { exampleOf, exampleOfBody } from '#src/example.js';

describe('an example of a body', () => {
  it('is the contract’s own where it has one', () => {
    expect(exampleOfBody({ example: { a: 1 }, schema: { type: 'object' } }, {})).to.deep.equal({
      a: 1,
    });
    const examples = { first: { value: 'x' }, second: { value: 'y' } };
    expect(exampleOfBody({ examples, schema: {} }, {})).to.equal('x');
  });

  it('has the required fields of its schema, references followed', () => {
    const schemas = { Name: { type: 'string', examples: ['Ada'] } };
    const schema = {
      type: 'object',
      required: ['name', 'kind', 'events', 'at', 'count'],
      properties: {
        name: { $ref: '#/components/schemas/Name' },
        kind: { enum: ['http', 'mcp'] },
        events: { type: 'array', minItems: 1, items: { const: 'task.changed' } },
        at: { type: 'string', format: 'date-time' },
        count: { type: 'integer', minimum: 2 },
        left: { type: 'boolean' },
      },
    };
    expect(exampleOf(schema, schemas)).to.deep.equal({
      name: 'Ada',
      kind: 'http',
      events: ['task.changed'],
      at: '2030-01-31T09:00:00Z',
      count: 2,
    });
  });
});
