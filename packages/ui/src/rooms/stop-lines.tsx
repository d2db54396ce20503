/** Above the composer: which agents of the room are stopped, how much waits for them, and how they go on. */
import type { LiveActivation } from "@hearth/client";
import { HoldLine } from "../house/hold-line.tsx";
import { findHold, holdOf } from "../house/holds.ts";
import { mayIn } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { botsOf } from "./participants.ts";
import { nameAgent, useRoomView } from "./room-view.tsx";

export const StopLines = ({ live }: { readonly live: readonly LiveActivation[] }) => {
  const { room, agents } = useRoomView();
  const { client } = useUi();
  const { holds, me } = useHouse();
  return botsOf(room, agents).map(({ id, house }) => {
    const hold = holdOf(holds, id);
    // That all are stopped stands above every page; in a room of many it would stand here for each.
    if (hold === undefined || (hold.scope === "house" && room.content.kind !== "direct")) return undefined;
    const waiting = live.filter(({ agent, state }) => agent === id && state === "queued").length;
    const canResume = findHold(holds, id) !== undefined && mayIn(me, "x", house);
    return (
      <HoldLine key={id} label="Resume" resume={canResume ? () => client.agents.resume(id) : undefined}>
        <bdi>{nameAgent(agents, id)}</bdi> is stopped. {tellWaiting(waiting)}
      </HoldLine>
    );
  });
};

export const tellWaiting = (count: number): string =>
  count === 0 ? "" : count === 1 ? "1 message waits." : `${count} messages wait.`;
