/**
 * An oxlint plugin that reports every place for a mutant. See sites.ts. Offsets are in UTF-16
 * units.
 */

const RELATIONS = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const LEAVES = new Set(["ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"]);
/** Loggers. Their calls do not affect the program. */
const LOGS = /^(log|logger|console)$/;
/** Calls that no test can observe: assertions that hold, and timers that keep no process alive. */
const UNOBSERVABLE = /^(assert\w*|unref)$/;
/** Handlers of a rejection. A promise without one and without `await` is refused by `npm run check`. */
const HANDLES_REJECTION = /^(catch|then)$/;
const TEXT_KEYS = new Set(["hint", "description", "summary"]);
const LISTS = /^[A-Z][A-Z0-9_]*$/;

const nameOf = (node) => {
  if (node?.type === "ChainExpression") return nameOf(node.expression);
  if (node?.type === "MemberExpression") return node.property.name ?? "";
  return node?.name ?? "";
};

const isLog = ({ callee }) => callee.type === "MemberExpression" && LOGS.test(nameOf(callee.object));

/** Whether a statement only writes to the log. */
const onlyLogs = (node) =>
  (node.type === "ExpressionStatement" && node.expression.type === "CallExpression" && isLog(node.expression)) ||
  (node.type === "BlockStatement" && node.body.every(onlyLogs));

/** Whether a node is text for people: error messages, log lines and their conditions, templates. */
const isText = (node) =>
  (node.type === "IfStatement" && node.alternate === null && onlyLogs(node.consequent)) ||
  node.type === "TemplateLiteral" ||
  (node.type === "NewExpression" && nameOf(node.callee).endsWith("Error")) ||
  (node.type === "CallExpression" && isLog(node)) ||
  (node.type === "Property" && TEXT_KEYS.has(node.key.name));

/** Whether a node chooses a class name: an attribute `className`, or an argument of `classes(...)`. */
const isStyle = (node) =>
  (node.type === "JSXAttribute" && node.name.name === "className") ||
  (node.type === "CallExpression" && node.callee.type === "Identifier" && node.callee.name === "classes");

/** Whether a node only affects text or looks. */
const isForEyes = (node) => node !== null && (isText(node) || isStyle(node) || isForEyes(node.parent));

/** Whether a node is in a comparison function, whose result for equal values does not matter. */
const isComparator = (node) => {
  if (node === null) return false;
  if (node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression") {
    if (node.parent.type === "CallExpression" && /^(sort|toSorted)$/.test(nameOf(node.parent.callee))) return true;
    if (node.parent.type === "VariableDeclarator" && /^(compare|by[A-Z])/.test(nameOf(node.parent.id))) return true;
  }
  return isComparator(node.parent);
};

const isPredicate = (node) =>
  (node?.type === "BinaryExpression" && /^([=!]==|[<>]=?|in|instanceof)$/.test(node.operator)) ||
  (node?.type === "LogicalExpression" && node.operator !== "??") ||
  (node?.type === "UnaryExpression" && node.operator === "!");

const isLeaving = (node) =>
  LEAVES.has(node?.type) || (node?.type === "BlockStatement" && isLeaving(node.body[node.body.length - 1]));

/**
 * Whether an array is a list for comparisons: `const LIST = [...]`, `new Set([...])`,
 * `[...].some(...)`.
 */
const isGuardList = (node) => {
  const { parent } = node;
  if (parent.type === "TSAsExpression" || parent.type === "TSSatisfiesExpression") return isGuardList(parent);
  if (parent.type === "VariableDeclarator") return LISTS.test(nameOf(parent.id));
  if (parent.type === "NewExpression") return nameOf(parent.callee) === "Set";
  return parent.type === "MemberExpression" && /^(some|every|includes|find)$/.test(nameOf(parent));
};

const sites = {
  create: (context) => {
    const { text } = context.sourceCode;
    const report = (node, operator, start, end, to) => {
      if (!isForEyes(node)) context.report({ node, message: JSON.stringify({ operator, start, end, to }) });
    };
    const replace = (node, operator, to) => report(node, operator, node.range[0], node.range[1], to);
    const source = (node) => text.slice(node.range[0], node.range[1]);
    const negate = (node) => replace(node, "negate", `!(${source(node)})`);
    const replaceOperator = (node, operator, to) => {
      const start = text.indexOf(node.operator, node.left.range[1]);
      report(node, operator, start, start + node.operator.length, to);
    };
    const returned = (node) => {
      if (node?.type === "Literal" && typeof node.value === "boolean") replace(node, "flip", String(!node.value));
      else if (isPredicate(node)) negate(node);
    };
    const areSame = (one, other) => source(one) === source(other);
    /** `a < b ? a : b` returns an equal value for equal operands. */
    const isChoiceOfSides = ({ parent, left, right }) =>
      parent.type === "ConditionalExpression" &&
      ((areSame(parent.consequent, left) && areSame(parent.alternate, right)) ||
        (areSame(parent.consequent, right) && areSame(parent.alternate, left)));

    return {
      IfStatement(node) {
        negate(node.test);
        if (node.alternate === null && isLeaving(node.consequent)) replace(node.test, "drop-guard", "false");
      },
      ConditionalExpression: (node) => negate(node.test),
      WhileStatement: (node) => negate(node.test),
      ArrowFunctionExpression: (node) => returned(node.body),
      ReturnStatement: (node) => returned(node.argument),
      LogicalExpression(node) {
        if (node.operator === "??") return;
        replaceOperator(node, "swap-logical", node.operator === "&&" ? "||" : "&&");
        replace(node, "drop-operand", source(node.left));
        replace(node, "drop-operand", source(node.right));
      },
      BinaryExpression(node) {
        const { operator, right } = node;
        const relation = RELATIONS[operator];
        if (relation !== undefined && !isComparator(node) && !isChoiceOfSides(node))
          replaceOperator(node, "boundary", relation);
        if (/^[+-]$/.test(operator) && right.type === "Literal" && right.value === 1)
          report(node, "boundary", text.indexOf(operator, node.left.range[1]), right.range[1], "");
      },
      ExpressionStatement(node) {
        const isAwaited = node.expression.type === "AwaitExpression";
        const inner =
          isAwaited || node.expression.type === "UnaryExpression" ? node.expression.argument : node.expression;
        const call = inner.type === "ChainExpression" ? inner.expression : inner;
        if (call.type !== "CallExpression" || isLog(call) || UNOBSERVABLE.test(nameOf(call.callee))) return;
        replace(node, "drop-call", ";");
        if (isAwaited && HANDLES_REJECTION.test(nameOf(call.callee)))
          replace(node.expression, "drop-await", source(inner));
      },
      ArrayExpression(node) {
        const { elements } = node;
        if (elements.length < 2 || elements.includes(null) || !isGuardList(node)) return;
        const [first, second] = elements;
        const [before, last] = elements.slice(-2);
        report(node, "drop-element", first.range[0], second.range[0], "");
        report(node, "drop-element", before.range[1], last.range[1], "");
      },
    };
  },
};

export default { meta: { name: "mutants" }, rules: { sites } };
