import { expect } from 'chai';
import { folded, humanized, readableArguments } from '#src/parts/arguments.js';

describe('arguments for people', () => {
  it('names each value in words, and nested ones by their path', () => {
    expect(
      readableArguments({ orderId: 42, send_mail: true, address: { zip: '1010', note: null } }),
    ).to.deep.equal({
      rows: [
        { label: 'Order id', value: '42' },
        { label: 'Send mail', value: 'Yes' },
        { label: 'Address › Zip', value: '1010' },
        { label: 'Address › Note', value: 'None' },
      ],
      more: 0,
    });
  });

  it('has no line for arguments that are empty, and one for what is no object', () => {
    expect(readableArguments({}).rows).to.deep.equal([]);
    expect(readableArguments(undefined).rows).to.deep.equal([]);
    expect(readableArguments('not json {').rows).to.deep.equal([
      { label: '', value: 'not json {' },
    ]);
    expect(readableArguments([1, 'two', false]).rows).to.deep.equal([
      { label: '', value: '1, two, No' },
    ]);
  });

  it('counts the lines that it leaves out, and does not go deeper than three names', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`n${at}`, at]));
    const { rows, more } = readableArguments(many);
    expect([rows.length, more]).to.deep.equal([24, 16]);
    expect(readableArguments({ a: { b: { c: { d: 1 } } } }).rows).to.deep.equal([
      { label: 'A › B › C', value: '{"d":1}' },
    ]);
  });

  it('turns names of tools into words', () => {
    expect(['create_task', 'createTask', 'sendSMS', 'a-b.c'].map(humanized)).to.deep.equal([
      'Create task',
      'Create task',
      'Send SMS',
      'A b c',
    ]);
  });

  it('folds long values to their beginning, and never within a character', () => {
    expect(folded('short')).to.equal(undefined);
    expect(folded('x'.repeat(500))).to.equal('x'.repeat(240));
    expect(folded('a\nb\nc\nd\ne')).to.equal('a\nb\nc\nd');
    expect(folded(`${'x'.repeat(239)}😀${'y'.repeat(300)}`)).to.equal('x'.repeat(239));
  });
});
