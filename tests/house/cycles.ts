/** Finds the cycles of a graph. */

/** Returns one cycle, such as `a → b → a`, for every group of nodes that reach each other. */
export const findCycles = (edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] => {
  const cycles: string[][] = [];
  const state = new Map<string, "open" | "done">();
  const trail: string[] = [];
  const visit = (node: string): void => {
    state.set(node, "open");
    trail.push(node);
    for (const next of edges.get(node) ?? []) {
      const seen = state.get(next);
      if (seen === undefined) visit(next);
      else if (seen === "open") cycles.push([...trail.slice(trail.indexOf(next)), next]);
    }
    trail.pop();
    state.set(node, "done");
  };
  for (const node of edges.keys()) if (!state.has(node)) visit(node);
  return cycles;
};
