import { expect } from 'chai';
import { help, readArguments, wantsHelp } from '#src/command-line.js';
import { commands } from '#src/commands.js';
import { UsageError } from '#src/usage.js';

describe('the words of a command', () => {
  const mistakes: [string[], RegExp][] = [
    [['org', 'destroy'], /Unknown command 'org destroy'/],
    [['toString'], /Unknown command 'toString'/],
    [['org', 'list', '--email', 'x'], /--email is not an option of org list/],
    [['migrate', '--org', 'x'], /--org is not an option of migrate/],
    [['key', 'list', '--org', 'x', 'more', 'words'], /Unexpected argument 'more words'/],
    [['org', 'list', 'more'], /Unexpected argument 'more'/],
    [['org', 'list', '--colour'], /--colour/],
    [['org', 'create', '--name'], /--name/],
  ];
  for (const [args, message] of mistakes)
    it(`are explained: ${args.join(' ')}`, () => {
      expect(() => readArguments(args)).to.throw(UsageError, message);
    });

  it('are read with their options', () => {
    expect(readArguments(['key', 'revoke', 'some-id', '--yes'])).to.deep.equal({
      words: ['key', 'revoke', 'some-id'],
      options: {},
      json: false,
      yes: true,
    });
    expect(readArguments(['org', 'create', '--name', 'Acme', '--json'])).to.deep.include({
      options: { name: 'Acme' },
      json: true,
    });
  });

  it('ask for help in four ways', () => {
    for (const args of [[], ['help'], ['--help'], ['org', 'list', '-h']])
      expect(wantsHelp(readArguments(args)), args.join(' ')).to.equal(true);
    expect(wantsHelp(readArguments(['org', 'list']))).to.equal(false);
  });

  it('are all in the help', () => {
    for (const { usage, doc } of Object.values(commands))
      expect(help()).to.include(usage).and.include(doc);
  });
});
