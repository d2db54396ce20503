/** House rules that oxlint has no rule for. Loaded by oxlint, under Node; see .oxlintrc.json for where each applies. */

const isDate = (node) => node.type === "Identifier" && node.name === "Date";

/** `new Date()` and `Date()` read the clock; `new Date(ms)` does not. */
const noAmbientDate = {
  create: (context) => {
    const check = (node) => {
      if (isDate(node.callee) && (node.type === "CallExpression" || node.arguments.length === 0)) {
        context.report({ node, message: "Reads the clock: take a Clock as an argument." });
      }
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** A module that remembers is shared by everyone who imports it. */
const noModuleState = {
  create: (context) => ({
    VariableDeclaration: (node) => {
      const { parent } = node;
      const top = parent.type === "ExportNamedDeclaration" ? parent.parent : parent;
      if (node.kind !== "const" && top.type === "Program") {
        context.report({ node, message: "Module-level state: keep it in what a factory returns." });
      }
    },
  }),
};

/** Factories return object literals; only errors are classes. */
const noClass = {
  create: (context) => {
    const check = (node) => {
      if (!(node.superClass?.type === "Identifier" && node.superClass.name.endsWith("Error"))) {
        context.report({ node, message: "A class that is no error: write a factory, createX(options)." });
      }
    };
    return { ClassDeclaration: check, ClassExpression: check };
  },
};

export default {
  meta: { name: "house" },
  rules: { "no-ambient-date": noAmbientDate, "no-module-state": noModuleState, "no-class": noClass },
};
