/**
 * Reads facts off the syntax tree: what a file imports and exports, the shapes of its types, and the
 * literals that it spreads. An oxlint plugin, so a real parser does the reading; see source.ts.
 */

const nameOf = (node) => node?.name ?? node?.right?.name ?? "";

/** The names in a union of string literals. */
const keysIn = (type) => {
  if (type?.type === "TSUnionType") return type.types.flatMap(keysIn);
  return type?.type === "TSLiteralType" && typeof type.literal.value === "string" ? [type.literal.value] : [];
};

const baseOf = (name, args) => {
  const [of, keys] = args?.params ?? [];
  if (name !== "Pick" && name !== "Omit") return { name, keys: [] };
  return { name, of: nameOf(of?.typeName), keys: keysIn(keys) };
};

const membersIn = (members) => members.flatMap(({ key }) => (key?.name === undefined ? [] : [key.name]));

/** The own members of a type and the types that it joins; undefined unless it is an object type. */
const shapeOf = (type) => {
  if (type?.type === "TSTypeLiteral") return { members: membersIn(type.members), bases: [] };
  if (type?.type === "TSTypeReference")
    return { members: [], bases: [baseOf(nameOf(type.typeName), type.typeArguments)] };
  if (type?.type !== "TSIntersectionType") return undefined;
  const parts = type.types.map(shapeOf).filter((part) => part !== undefined);
  return { members: parts.flatMap(({ members }) => members), bases: parts.flatMap(({ bases }) => bases) };
};

/** Without the types that are asserted of it. */
const bare = (node) => (/^TS(As|Satisfies)Expression$/.test(node.type) ? bare(node.expression) : node);

/** Attributes of components whose text people read or hear. */
const TEXT_ATTRIBUTES = /^(aria-(label|description)|title|placeholder|alt|label|hint|text|detail|confirm|subject)$/;

/** Text with a word. Names of keys and units do not count. */
const isWord = (text) => /\p{L}{2}/u.test(text);

/** The literal texts that an expression can result in. */
const textsIn = (node) => {
  switch (node?.type) {
    case "Literal":
      return typeof node.value === "string" ? [node.value] : [];
    case "TemplateLiteral":
      return node.quasis.map((part) => part.value.raw);
    case "ConditionalExpression":
      return [...textsIn(node.consequent), ...textsIn(node.alternate)];
    case "LogicalExpression":
    case "BinaryExpression":
      return node.operator === "+" || node.type === "LogicalExpression"
        ? [...textsIn(node.left), ...textsIn(node.right)]
        : [];
    case "JSXExpressionContainer":
      return textsIn(node.expression);
    default:
      return [];
  }
};

const facts = {
  create: (context) => {
    const report = (node, fact) => context.report({ node, message: JSON.stringify(fact) });
    const imported = (node, source, isType) =>
      report(node, { fact: "import", source: typeof source?.value === "string" ? source.value : null, isType });
    const exported = (node, name) => report(node, { fact: "export", name });
    const declared = (pattern) => {
      if (pattern?.type === "Identifier") exported(pattern, pattern.name);
      for (const property of pattern?.properties ?? []) declared(property.value ?? property.argument);
      for (const element of pattern?.elements ?? []) declared(element);
    };
    const shaped = (node, name, shape) => {
      if (shape !== undefined) report(node, { fact: "type", name, ...shape });
    };
    const written = (node, texts) => {
      for (const text of texts.filter(isWord)) report(node, { fact: "text", text: text.trim() });
    };
    /** The options of a factory, when their type has no name. */
    const factory = (node) => {
      const name = node.id?.name ?? node.parent.id?.name ?? "";
      const type = node.params[0]?.typeAnnotation?.typeAnnotation;
      if (/^(create|open)[A-Z]/.test(name) && type?.type !== "TSTypeReference")
        shaped(node, `${name}()`, shapeOf(type));
    };
    return {
      ArrowFunctionExpression: factory,
      FunctionDeclaration: factory,
      TSInterfaceDeclaration: (node) =>
        shaped(node, node.id.name, {
          members: membersIn(node.body.body),
          bases: (node.extends ?? []).map(({ expression, typeArguments }) => baseOf(nameOf(expression), typeArguments)),
        }),
      TSTypeAliasDeclaration: (node) => shaped(node, node.id.name, shapeOf(node.typeAnnotation)),
      JSXText: (node) => written(node, [node.value]),
      JSXAttribute(node) {
        if (TEXT_ATTRIBUTES.test(node.name.name ?? "")) written(node, textsIn(node.value));
      },
      JSXExpressionContainer(node) {
        if (node.parent.type !== "JSXAttribute") written(node, textsIn(node));
      },
      SpreadElement(node) {
        const isInObject = node.parent.type === "ObjectExpression";
        if (isInObject && bare(node.argument).type === "ObjectExpression") report(node, { fact: "literal-spread" });
      },
      Program(node) {
        for (const comment of context.sourceCode.getAllComments()) {
          const source = /^\/\s*<reference\s+\w+\s*=\s*["']([^"']+)/.exec(comment.value)?.[1];
          if (source !== undefined) imported(node, { value: source }, true);
        }
      },
      ImportDeclaration: (node) => imported(node, node.source, node.importKind === "type"),
      ImportExpression: (node) => imported(node, node.source, false),
      TSImportType: (node) => imported(node, node.source ?? node.argument?.literal, true),
      TSImportEqualsDeclaration: (node) => imported(node, node.moduleReference?.expression, false),
      ExportAllDeclaration: (node) => imported(node, node.source, node.exportKind === "type"),
      ExportDefaultDeclaration: (node) => exported(node, "default"),
      ExportNamedDeclaration(node) {
        if (node.source) imported(node, node.source, node.exportKind === "type");
        for (const specifier of node.specifiers)
          exported(specifier, specifier.exported.name ?? specifier.exported.value);
        const { declaration } = node;
        if (declaration?.id) exported(declaration, declaration.id.name);
        for (const declarator of declaration?.declarations ?? []) declared(declarator.id);
      },
      CallExpression(node) {
        const isTest = /^(test|it)$/.test(node.callee.name ?? "") || /^(test|it)$/.test(node.callee.object?.name ?? "");
        if (isTest || node.callee.name?.endsWith("Conformance")) report(node, { fact: "test" });
        if (node.callee.name === "require" && typeof node.arguments[0]?.value === "string")
          imported(node, node.arguments[0], false);
      },
    };
  },
};

export default { meta: { name: "house" }, rules: { facts } };
