/** Undoes what a tool call changed in the agent's brain. Files of the workspace have no versions. */
import { observe } from "@hearth/client";
import type { ActivationId, AgentId, AgentRecord } from "@hearth/protocol";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { mayIn } from "../../../house/may.ts";
import { useHouse, useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { useRoomView } from "../../room-view.tsx";
import { changesOfCall, isUndoable } from "./call-changes.ts";
import type { ToolPart } from "../tool-words.ts";
import * as texts from "./text.ts";

/** Maximum number of changes that the API returns. */
const MAX_ITEMS = 1000;

export interface ToolUndoProps {
  readonly part: ToolPart;
  readonly activation: ActivationId;
  readonly agent: AgentId;
}

export const ToolUndo = (props: ToolUndoProps) => {
  const { me, agents } = useHouse();
  const agent = agents.get(props.agent);
  if (agent === undefined || !isUndoable(props.part) || !mayIn(me, "x", agent.house)) return undefined;
  return <Undo {...props} record={agent} />;
};

const Undo = ({ part, activation, record }: ToolUndoProps & { readonly record: AgentRecord }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const { openDialog } = useRoomView();
  const openUndo = async (): Promise<void> => {
    await submission.run(async () => {
      const changes = await (await client.brains()).log(record.id, { activation, limit: MAX_ITEMS });
      const [firstChange, ...otherChanges] = changesOfCall(part, changes);
      if (firstChange === undefined) announce(texts.noVersion);
      // Two changes of one call cannot be undone in one step, so the dialog offers the whole run.
      else {
        const target = otherChanges.length === 0 ? { change: firstChange.id } : { activation };
        openDialog({ kind: "undo", agent: record, target });
      }
    });
  };
  return (
    <div>
      <Button size="small" icon="back" isBusy={submission.isBusy} onClick={() => observe(openUndo())}>
        {texts.undo}
      </Button>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} shape="line" />}
    </div>
  );
};
