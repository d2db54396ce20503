/**
 * Lint rules that oxlint lacks. oxlint loads them in Node; .oxlintrc.json sets where each applies.
 */
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

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

const MAX_LINES = 70;
const MAX_FACTORY_LINES = 150;

/** A function's own name: what it is declared as, or what it is an argument of. */
const ownName = ({ id, parent }) => {
  const named = id ?? parent.id ?? parent.key ?? parent.left ?? parent.callee?.property ?? parent.callee;
  return named?.name ?? String(named?.value ?? "function");
};

const isFunction = (node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** `createRoom.append`: the names of the functions around it, and its own. */
const fullName = (node) => {
  const names = [];
  for (let around = node; around; around = around.parent) if (isFunction(around)) names.unshift(ownName(around));
  return names.join(".");
};

/** Lines that hold code: a comment never makes a function too long. */
const countCode = (lines) => {
  let isComment = false;
  return lines.filter((line) => {
    const text = line.trim();
    const starts = text.startsWith("/*");
    const wasComment = isComment || starts;
    if (wasComment) isComment = !text.includes("*/");
    return text !== "" && !wasComment && !text.startsWith("//");
  }).length;
};

/**
 * A function fits on a screen. A factory, `createX` or `openX`, may be longer, because it lists its
 * methods.
 */
const functionLength = {
  create: (context) => {
    const path = relative(root, context.filename).replaceAll("\\", "/");
    const check = (node) => {
      const max = /^(create|open)[A-Z]/.test(ownName(node)) ? MAX_FACTORY_LINES : MAX_LINES;
      const lines = countCode(context.sourceCode.lines.slice(node.loc.start.line - 1, node.loc.end.line));
      if (lines <= max) return;
      const message = `${path}#${fullName(node)} has ${lines} lines, more than ${max}: split it.`;
      context.report({ node, message });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

/**
 * Variables whose methods return no promise: initialised with a Map, a Set or an array literal in
 * the same file.
 */
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

/**
 * `void` before a call hides its promise from `no-floating-promises`, above all in `() => void
 * call()`.
 */
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
    "function-length": functionLength,
    "no-void-call": noVoidCall,
  },
};
