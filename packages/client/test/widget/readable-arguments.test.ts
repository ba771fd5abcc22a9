import { expect } from 'chai';
import { humanized, readableArguments } from '#src/widget/readable-arguments.js';
import { textsFor } from '#src/widget/texts.js';

const texts = textsFor('en');
const lines = (value: unknown) =>
  readableArguments(value, texts).rows.map((row) => `${row.label}: ${row.value}`);

describe('arguments for people', () => {
  it('have names as words and nested objects as paths', () => {
    const value = { dueDate: '2030-01-31', assignee: { first_name: 'Ana' }, notify: true, n: 0 };
    expect(lines(value)).to.deep.equal([
      'Due date: 2030-01-31',
      'Assignee › First name: Ana',
      'Notify: Yes',
      'N: 0',
    ]);
  });

  it('tell lists, nothing, and what is too deep', () => {
    const value = { tags: ['a', false], none: null, empty: [], deep: { a: { b: { c: 1 } } } };
    expect(lines(value)).to.deep.equal([
      'Tags: a, No',
      'None: None',
      'Empty: None',
      'Deep › A › B: {"c":1}',
    ]);
  });

  it('are one line without a name if they are no object, and none if there are none', () => {
    expect(lines('not json')).to.deep.equal([': not json']);
    for (const nothing of [null, undefined, '', {}, []]) expect(lines(nothing)).to.deep.equal([]);
  });

  it('stop after a dozen lines, and have all of it as JSON', () => {
    const value = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field${at}`, at]));
    const { rows, more, json } = readableArguments(value, texts);
    expect([rows.length, more, JSON.parse(json!)]).to.deep.equal([12, 8, value]);
  });

  it('have names that read well', () => {
    const names = ['create_task', 'timeZone', 'customer-id', 'HTTPStatus', 'order.URL', 'x'];
    expect(names.map(humanized)).to.deep.equal([
      'Create task',
      'Time zone',
      'Customer id',
      'HTTPStatus',
      'Order URL',
      'X',
    ]);
  });
});
