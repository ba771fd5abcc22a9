// The exports of packages/client as Markdown: every entry point, from the doc comments of its
// sources.
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './build.mjs';

const folder = join(root, 'packages/client/src');

/**
 * The entry points, in the order of the page. The members of the widget's element come from its
 * sources.
 */
const entries = [
  { name: '@parley/client', file: 'index.ts' },
  { name: '@parley/client/audio', file: 'audio/index.ts' },
  { name: '@parley/client/react', file: 'react/index.ts' },
  { name: '@parley/client/widget', file: 'widget/index.ts' },
  { name: '@parley/client/server', file: 'server/index.ts' },
];

export function clientReference() {
  const config = ts.readConfigFile(join(folder, '../tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, join(folder, '..'));
  const program = ts.createProgram(
    entries.map(({ file }) => join(folder, file)),
    { ...options, noEmit: true },
  );
  const checker = program.getTypeChecker();
  const told = new Set();
  return entries
    .map(({ name, file }) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, file)));
      const exported = checker
        .getExportsOfModule(module)
        .map((symbol) =>
          symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        )
        // A symbol that two entry points export is documented once.
        .filter((symbol) => !told.has(symbol) && told.add(symbol))
        .map((symbol) => section(checker, symbol))
        .filter(Boolean);
      return [`## ${name}`, ...exported].join('\n\n');
    })
    .join('\n\n');
}

function section(checker, symbol) {
  const [declaration] = symbol.declarations ?? [];
  if (!declaration) return undefined;
  // The resources of the REST API have their own reference; this page has the operations on them.
  if (declaration.getSourceFile().fileName.endsWith('server/contract.ts')) return undefined;
  const members = membersOf(declaration);
  return [
    `### ${symbol.name}`,
    docOf(checker, symbol),
    signatureOf(declaration),
    ...tableOf(checker, members),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** The signature, unless a table shows it better. */
function signatureOf(node) {
  if (ts.isFunctionDeclaration(node)) return code(`function ${headOf(node)}`);
  if (!ts.isTypeAliasDeclaration(node) || membersOf(node).length > 0) return undefined;
  return code(node.getText().replace(/^export /, ''));
}

function membersOf(node) {
  if (ts.isClassDeclaration(node))
    return node.members.filter((member) => isPublic(member) && !isBehindOverloads(member, node));
  if (!ts.isTypeAliasDeclaration(node)) return [];
  const parts = ts.isIntersectionTypeNode(node.type) ? node.type.types : [node.type];
  return parts.flatMap((part) => (ts.isTypeLiteralNode(part) ? [...part.members] : []));
}

function isPublic(member) {
  const name = member.name;
  if (name && ts.isPrivateIdentifier(name)) return false;
  if (ts.isSetAccessor(member) || ts.isSemicolonClassElement(member)) return false;
  if (name?.getText() === 'name') return false;
  const flags = ts.getCombinedModifierFlags(member);
  if (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return false;
  return !ts.getJSDocTags(member).some(({ tagName }) => tagName.text === 'internal');
}

/** Overloads are documented instead of their implementation. */
function isBehindOverloads(member, { members }) {
  const isOverload = (other) => other.name?.getText() === member.name?.getText() && !other.body;
  return ts.isMethodDeclaration(member) && member.body !== undefined && members.some(isOverload);
}

function tableOf(checker, members) {
  const rows = members.map((member) => {
    const symbol = member.name ? checker.getSymbolAtLocation(member.name) : member.symbol;
    const doc = symbol ? docOf(checker, symbol) : '';
    return `| ${cell(`\`${headOf(member)}\``)} | ${cell(doc)} |`;
  });
  return rows.length === 0 ? [] : [['| | |', '| --- | --- |', ...rows].join('\n')];
}

/** A declaration without its body, its doc comment and modifiers that every member has. */
function headOf(node) {
  const text = node.getText();
  const head = node.body ? text.slice(0, node.body.getStart() - node.getStart()) : text;
  return head
    .replace(/^((?:export|async|readonly|static|override|function) )+/, (words) =>
      words.includes('static') ? 'static ' : '',
    )
    .replace(/^(static )?get (\w+)\(\)/, '$1$2')
    .replace(/\/\*\*[^]*?\*\//g, '')
    .replace(/(\w+): (\w+) = \{\}/g, '$1?: $2')
    .replace(/ = [^=>][^]*$/, '')
    .replace(/\s+/g, ' ')
    .replace(/[;{]? *$/, '')
    .replace(/\( /g, '(')
    .replace(/, \)/g, ')')
    .trim();
}

/** Code in doc comments is an excerpt to read, not to run. */
function docOf(checker, symbol) {
  const doc = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  return doc.replaceAll('```js\n', '```ts\n');
}

function code(text) {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

function cell(text) {
  return text.replace(/\n+/g, ' ').replaceAll('|', '\\|');
}
