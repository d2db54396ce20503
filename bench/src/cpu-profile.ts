/**
 * Reads a V8 `.cpuprofile`, as `bun --cpu-prof` writes it:
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 */

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** The node of each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** A function as called from its parent. `micros` includes the functions that it calls. */
export interface Frame {
  readonly name: string;
  /** File, relative to the root, and line; "" for native code. */
  readonly place: string;
  micros: number;
  /** Without the functions that it calls. */
  ownMicros: number;
  readonly children: Map<string, Frame>;
}

/** The samples between two times, in microseconds since the profile began, as one tree. */
export const toTree = (
  profile: CpuProfile,
  span: { readonly from: number; readonly until: number },
  root: string,
): Frame => {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const top = createFrame("all", "");
  let at = 0;
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index] ?? 0;
    at += micros;
    if (at < span.from || at >= span.until) continue;
    add(top, stackOf(id, byId, parents), micros, root);
  }
  return top;
};

const IDLE = new Set(["(idle)", "(program)", "(root)"]);

const stackOf = (
  leaf: number,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): readonly ProfileNode[] => {
  const stack: ProfileNode[] = [];
  for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
    const node = byId.get(id);
    if (node !== undefined && !IDLE.has(node.callFrame.functionName)) stack.push(node);
  }
  return stack.toReversed();
};

const add = (top: Frame, stack: readonly ProfileNode[], micros: number, root: string): void => {
  if (stack.length === 0) return;
  let frame = top;
  frame.micros += micros;
  for (const { callFrame } of stack) {
    const name = callFrame.functionName === "" ? "(anonymous)" : callFrame.functionName;
    const place = placeOf(callFrame, root);
    const key = `${name} ${place}`;
    const child = frame.children.get(key) ?? createFrame(name, place);
    frame.children.set(key, child);
    frame = child;
    frame.micros += micros;
  }
  frame.ownMicros += micros;
};

const createFrame = (name: string, place: string): Frame => ({
  name,
  place,
  micros: 0,
  ownMicros: 0,
  children: new Map(),
});

const placeOf = ({ url, lineNumber }: ProfileNode["callFrame"], root: string): string => {
  const path = url.replace(/^file:\/\//, "");
  if (path === "" || path === "[native code]") return "";
  return `${path.startsWith(root) ? path.slice(root.length) : path}:${lineNumber + 1}`;
};

/** The functions with the greatest own time, summed over all callers. */
export const hottest = (tree: Frame, count: number): readonly Pick<Frame, "name" | "place" | "ownMicros">[] => {
  const sums = new Map<string, { readonly name: string; readonly place: string; ownMicros: number }>();
  const visit = (frame: Frame): void => {
    const key = `${frame.name} ${frame.place}`;
    const sum = sums.get(key) ?? { name: frame.name, place: frame.place, ownMicros: 0 };
    sum.ownMicros += frame.ownMicros;
    sums.set(key, sum);
    for (const child of frame.children.values()) visit(child);
  };
  visit(tree);
  return [...sums.values()].sort((a, b) => b.ownMicros - a.ownMicros).slice(0, count);
};
