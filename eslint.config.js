import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { ownProperty } from './scripts/lint/own-property.js';

const noDeadlines = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: null,
  seedingTimeout: null,
};

const onlyInMain = [
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'Read the environment in main.ts only and pass a frozen config down.',
  },
];
const keepListening = {
  selector: "CallExpression[callee.property.name='once'][arguments.0.value='error']",
  message:
    'Listen with on: an emitter may fail twice, and an error without a listener ends the process.',
};
const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name, so that a thing has one name everywhere.',
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist-test/**', 'coverage/**', '**/.data/**'] },
  js.configs.recommended,
  {
    // One expression that backtracks on a caller's text blocks everybody else in the process.
    files: ['{apps,packages}/*/src/**/*.{ts,tsx}'],
    ignores: ['packages/testkit/**'],
    plugins: { redos, regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      // By automaton; what it cannot parse is fuzzed with a fixed seed and no timeout, so that results are stable.
      'redos/no-vulnerable': [
        'error',
        { cache: true, ignoreErrors: false, randomSeed: 1, ...noDeadlines },
      ],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'max-depth': ['error', 3],
      // Warnings: a long file asks for a look, and stays whole where it is one idea.
      'max-lines': ['warn', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['warn', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 3],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, keepListening, ...onlyInMain],
    },
  },
  {
    files: ['{packages/client,apps/console}/**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { project: false, projectService: true } },
  },
  {
    files: ['**/main.ts'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': ['error', noDefaultExport, keepListening],
    },
  },
  {
    // A component is mostly markup, which makes it long.
    files: ['apps/console/src/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      'max-lines-per-function': ['warn', { max: 90, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    // As Vite sees a file of CSS classes.
    files: ['apps/console/src/styles.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Generated, as long as the contract; and lists of names.
    files: ['packages/client/src/server/{contract,groups}.ts', 'packages/*/src/index.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // Express recognizes an error handler by its four parameters.
    files: ['apps/api/src/http/refuse.ts'],
    rules: { 'max-params': ['error', 4] },
  },
  {
    files: ['**/test/**/*.ts', 'packages/testkit/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines-per-function': 'off',
      'no-console': 'off',
      'no-restricted-syntax': ['error', noDefaultExport],
    },
  },
  {
    files: ['{apps,packages}/*/src/**/*.{ts,tsx}'],
    ignores: ['packages/testkit/**'],
    plugins: { parley: { rules: { 'own-property': ownProperty } } },
    rules: { 'parley/own-property': 'error' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
      },
    },
  },
  {
    // The scripts of the docs run in browsers.
    files: ['packages/docs/assets/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        localStorage: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
        FormData: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
);
