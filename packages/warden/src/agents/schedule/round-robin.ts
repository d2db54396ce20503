/** Orders due jobs so that agents take turns. */

/**
 * Orders keys so that the agents take turns, one job at a time. Many jobs of one agent then do not
 * delay another agent's jobs.
 */
export const roundRobin = <Key extends string>(keys: readonly Key[]): readonly Key[] => {
  const queues = new Map<string, Key[]>();
  for (const key of keys) {
    const [agent = ""] = key.split(" ");
    const queue = queues.get(agent) ?? [];
    queue.push(key);
    queues.set(agent, queue);
  }
  const longest = Math.max(0, ...[...queues.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => index).flatMap((index) =>
    [...queues.values()].flatMap((queue) => queue.slice(index, index + 1)),
  );
};
