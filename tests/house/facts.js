/**
 * Reads facts off the syntax tree: what a file imports and what it exports. An oxlint plugin, so a
 * real parser does the reading; see source.ts.
 */

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
    return {
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
