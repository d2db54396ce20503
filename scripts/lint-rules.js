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

/** Variables whose methods return no promise: initialised with a Map, a Set or an array literal in the same file. */
const COLLECTIONS = new Set(["Map", "Set", "WeakMap", "WeakSet"]);
const isCollection = (sourceCode, node) => {
  if (node.type !== "Identifier") return false;
  for (let scope = sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable === undefined) continue;
    const init = variable.defs[0]?.node.init;
    return (
      init?.type === "ArrayExpression" || (init?.type === "NewExpression" && COLLECTIONS.has(init.callee.name ?? ""))
    );
  }
  return false;
};

/** `void` before a call hides its promise from `no-floating-promises`, above all in `() => void call()`. */
const noVoidCall = {
  create: (context) => ({
    UnaryExpression: (node) => {
      if (node.operator !== "void") return;
      const called = node.argument.type === "ChainExpression" ? node.argument.expression : node.argument;
      if (called.type === "Literal" || called.type === "AwaitExpression") return;
      if (called.type === "CallExpression") {
        const { callee } = called;
        if (callee.type === "MemberExpression" && isCollection(context.sourceCode, callee.object)) return;
      }
      context.report({
        node,
        message:
          "`void` hides a promise that may fail. Write the call as a statement: `() => { call(); }`. If it returns a promise, await it, hand it to `observe`, or give it a catch.",
      });
    },
  }),
};

export default {
  meta: { name: "house" },
  rules: {
    "no-ambient-date": noAmbientDate,
    "no-module-state": noModuleState,
    "no-class": noClass,
    "no-void-call": noVoidCall,
  },
};
