/** The order in which due jobs fire: agents in turn. */

/** One of each agent after the other, so that nobody's many jobs stand before another's one. */
export const inTurn = <Key extends string>(keys: readonly Key[]): readonly Key[] => {
  const queues = new Map<string, Key[]>();
  for (const key of keys) {
    const [agent = ""] = key.split(" ");
    const queue = queues.get(agent) ?? [];
    queue.push(key);
    queues.set(agent, queue);
  }
  const longest = Math.max(0, ...[...queues.values()].map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => place).flatMap((place) =>
    [...queues.values()].flatMap((queue) => queue.slice(place, place + 1)),
  );
};
