/** Orders due jobs so that agents take turns. */

/** Takes one job of each agent in turn, so that one agent's many jobs do not delay another's. */
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
