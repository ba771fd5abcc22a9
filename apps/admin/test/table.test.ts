import { expect } from 'chai';
import { printable } from '#src/printable.js';
import { table } from '#src/table.js';

describe('what others have written', () => {
  it('cannot control or deceive the terminal that it is printed to', () => {
    const name = 'a\u001B[2J\r\nb\u009Bc\u007F\u202Ed\u2066\u200F\u2028\uD83D';
    const spelled = 'a\\u001b[2J\\u000d\\u000ab\\u009bc\\u007f\\u202ed\\u2066\\u200f\\u2028\\ud83d';
    expect(printable(name)).to.equal(spelled);
    expect(table([{ name }])).to.equal(`name\n${spelled}`);
    expect(table([{ list: ['\u009B'] }])).to.equal('list\n["\\u009b"]');
  });

  it('is printed as it is otherwise, in any language', () => {
    for (const name of ['Grüße, 你好', 'שלום', '👩‍🚀', 'C:\\u001b'])
      expect(printable(name)).to.equal(name);
  });
});
