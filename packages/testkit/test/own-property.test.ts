import { Linter } from 'eslint';
import { expect } from 'chai';
import { parser } from 'typescript-eslint';

const root = new URL('../../../', import.meta.url);
const rulePath = new URL('scripts/lint/own-property.js', root).href;

describe('the rule that no inherited property decides', () => {
  let problemsOf: (code: string) => (string | undefined)[];
  before(async function () {
    this.timeout(20_000); // the compiler is loaded
    const { ownProperty } = (await import(rulePath)) as { ownProperty: never };
    const linter = new Linter({ cwd: root.pathname });
    const options = {
      projectService: { allowDefaultProject: ['*.ts'] },
      tsconfigRootDir: root.pathname,
    };
    problemsOf = (code) =>
      linter
        .verify(
          `declare const record: Record<string, string>; declare const name: string;\n${code}`,
          [
            {
              files: ['**/*.ts'],
              plugins: { own: { rules: { property: ownProperty } } },
              languageOptions: { parser, parserOptions: options },
              rules: { 'own/property': 'error' },
            },
          ],
          'probe.ts',
        )
        .map(({ messageId, message }) => messageId ?? message);
  });

  const cases: [code: string, problems: string[]][] = [
    ['record[name];', ['lookup']],
    ['record?.[name];', ['lookup']],
    ['record[name] += "x";', ['lookup']],
    ['record[name as keyof typeof record];', ['cast']],
    ['name in record;', ['in']],
    ['if (!Object.hasOwn(record, name)) record[name];', ['lookup']],
    ['if (Object.hasOwn(record, name)) record[name];', []],
    ['Object.hasOwn(record, name) ? record[name] : undefined;', []],
    ['record[name] = "x";', []],
    ['const known: "a" | "b" = "a"; record[known];', []],
    ['[1][0]; ["a"][name.length];', []],
    ['"a" in record;', []],
    ['new Map<string, string>().get(name);', []],
  ];
  for (const [code, problems] of cases)
    it(`${problems.length > 0 ? 'refuses' : 'lets through'} ${code}`, () => {
      expect(problemsOf(code)).to.deep.equal(problems);
    });
});
