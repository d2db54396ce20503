/** Lint rules that oxlint lacks. oxlint loads them in Node; .oxlintrc.json sets where each applies. */

const isDate = (node) => node.type === "Identifier" && node.name === "Date";

/** `new Date()` and `Date()` read the clock; `new Date(ms)` does not. */
const noAmbientDate = {
  create: (context) => {
    const check = (node) => {
      if (isDate(node.callee) && (node.type === "CallExpression" || node.arguments.length === 0)) {
        context.report({ node, message: "This reads the clock. Take a Clock as an argument." });
      }
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** Module-level state would be shared by all importers. */
const noModuleState = {
  create: (context) => ({
    VariableDeclaration: (node) => {
      const { parent } = node;
      const top = parent.type === "ExportNamedDeclaration" ? parent.parent : parent;
      if (node.kind !== "const" && top.type === "Program") {
        context.report({ node, message: "Module-level state. Keep state in the object that a factory returns." });
      }
    },
  }),
};

/** Factories return object literals; only errors are classes. */
const noClass = {
  create: (context) => {
    const check = (node) => {
      if (!(node.superClass?.type === "Identifier" && node.superClass.name.endsWith("Error"))) {
        context.report({ node, message: "Only errors are classes. Write a factory, createX(options)." });
      }
    };
    return { ClassDeclaration: check, ClassExpression: check };
  },
};

export default {
  meta: { name: "house" },
  rules: { "no-ambient-date": noAmbientDate, "no-module-state": noModuleState, "no-class": noClass },
};
