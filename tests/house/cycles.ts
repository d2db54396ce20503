/** Cycles of a graph, each told once. */

/** For every knot of nodes that reach each other, one way round: `a → b → a`. */
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
