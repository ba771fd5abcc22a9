// The rules that oxlint does not have: see .oxlintrc.json for all others.
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { ownProperty } from './scripts/lint/own-property.js';

const noDeadlines = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  // An attack that is tried out without a deadline ends some day, and then counts as harmless.
  recallTimeout: -1,
  seedingTimeout: null,
};

const onlyInMain = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Read the environment in main.ts only and pass a frozen config down.',
};
const keepListening = {
  selector: "CallExpression[callee.property.name='once'][arguments.0.value='error']",
  message:
    'Listen with on: an emitter may fail twice, and an error without a listener ends the process.',
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist-test/**', '**/*.{js,mjs,cjs}'] },
  {
    files: ['{apps,packages}/*/src/**/*.{ts,tsx}'],
    ignores: ['packages/testkit/**'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    // Comments for oxlint are none of its business.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { redos, regexp, parley: { rules: { 'own-property': ownProperty } } },
    rules: {
      // One expression that backtracks on a caller's text blocks everybody else in the process.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      // By automaton; what it cannot parse is fuzzed with a fixed seed and no timeout, so that results are stable.
      'redos/no-vulnerable': [
        'error',
        { cache: true, ignoreErrors: false, randomSeed: 1, ...noDeadlines },
      ],
      'parley/own-property': 'error',
      'no-restricted-syntax': ['error', keepListening, onlyInMain],
    },
  },
  {
    files: ['**/main.ts'],
    rules: { 'no-restricted-syntax': ['error', keepListening] },
  },
  {
    files: ['{packages/client,apps/console}/src/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: false, projectService: true } },
  },
);
