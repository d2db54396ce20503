/** A banner for each stopped agent of the room, with the number of waiting messages and a resume button. */
import type { LiveActivation } from "@hearth/client";
import { ResumeBanner } from "../../house/resume-banner.tsx";
import { findHold, holdOf } from "../../house/holds.ts";
import { mayIn } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { botsOf } from "../participants.ts";
import { nameAgent, useRoomView } from "../room-view.tsx";
import * as texts from "../text.ts";

export const StopBanners = ({ live }: { readonly live: readonly LiveActivation[] }) => {
  const { room, agents } = useRoomView();
  const { client } = useUi();
  const { holds, me } = useHouse();
  return botsOf(room, agents).map(({ id, house }) => {
    const hold = holdOf(holds, id);
    // A stop of all agents has its own banner, which a group room would repeat for each agent.
    if (hold === undefined || (hold.scope === "house" && room.content.kind !== "direct")) return undefined;
    const waitingCount = live.filter(({ agent, state }) => agent === id && state === "queued").length;
    const canResume = findHold(holds, id) !== undefined && mayIn(me, "x", house);
    return (
      <ResumeBanner key={id} label={texts.resume} resume={canResume ? () => client.agents.resume(id) : undefined}>
        <bdi>{nameAgent(agents, id)}</bdi> {texts.stoppedSuffix} {describeWaiting(waitingCount)}
      </ResumeBanner>
    );
  });
};

export const describeWaiting = (count: number): string =>
  count === 0 ? "" : count === 1 ? texts.oneMessageWaits : texts.messagesWait(count);
