import ts from 'typescript';

/**
 * A name from outside may be `constructor` or `toString`, which every plain object inherits. So
 * look names up with Object.hasOwn, a Map or a Set, unless the compiler knows all possible names.
 */
export const ownProperty = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      lookup:
        'This look-up finds inherited properties, too: use ownProperty(record, name) or a Map.',
      cast: 'A cast does not make this name a key: check it with Object.hasOwn, or use a Map.',
      in: 'The operator `in` finds inherited properties, too: use Object.hasOwn or a Set.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const { program, getTypeAtLocation } = sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const known = ts.TypeFlags.NumberLike | ts.TypeFlags.StringLiteral | ts.TypeFlags.ESSymbolLike;
    const isKnown = (type) => (type.types ?? [type]).every(({ flags }) => (flags & known) !== 0);
    const takesAnyName = (type) =>
      checker.getIndexInfoOfType(checker.getNonNullableType(type), ts.IndexKind.String);

    /** Inside a branch guarded by Object.hasOwn for the same record and name. */
    const isGuarded = (node) => {
      const name = node.property.expression ?? node.property;
      const guard = `Object.hasOwn(${sourceCode.getText(node.object)}, ${sourceCode.getText(name)})`;
      return sourceCode.getAncestors(node).some(({ test }) => test && holds(test, guard));
    };
    const holds = (test, guard) => {
      const text = sourceCode.getText(test);
      return text.includes(guard) && !text.includes(`!${guard}`);
    };
    const isWritten = ({ parent }, node) =>
      parent.type === 'AssignmentExpression' && parent.operator === '=' && parent.left === node;

    return {
      'MemberExpression[computed=true][property.type!="Literal"]'(node) {
        if (isWritten(node, node) || isGuarded(node)) return;
        if (node.property.type === 'TSAsExpression') context.report({ node, messageId: 'cast' });
        else if (
          !isKnown(getTypeAtLocation(node.property)) &&
          takesAnyName(getTypeAtLocation(node.object))
        )
          context.report({ node, messageId: 'lookup' });
      },
      'BinaryExpression[operator="in"][left.type!=/^(Literal|PrivateIdentifier)$/]'(node) {
        context.report({ node, messageId: 'in' });
      },
    };
  },
};
