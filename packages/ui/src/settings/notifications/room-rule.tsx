/** The dialog that sets the notification rule of one room. Loaded on first use. */
import { observe } from "@hearth/client";
import type { ChangePushChoices, PushState, RoomRecord } from "@hearth/protocol";
import { PushRule } from "@hearth/protocol/api";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../design/button.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { roomTitle } from "../../house/room-title.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { paths } from "../place.ts";
import { ruleChoices } from "./rules-section.tsx";
import * as texts from "./text.ts";

export interface RoomRuleProps {
  readonly room: RoomRecord;
  readonly onClose: () => void;
}

/** The choice of no separate rule. It is not the name of a rule. */
const SAME = "same";

export const RoomRule = ({ room, onClose }: RoomRuleProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const request = useRequest(useCallback(async () => (await client.notifications()).show(), [client]));
  const [changedState, setChangedState] = useState<PushState>();
  const [chosenValue, setChosenValue] = useState<string>();
  const change = async (value: string): Promise<void> => {
    const rule = PushRule.options.find((option) => option === value) ?? null;
    const rooms = { [room.id]: rule } as NonNullable<ChangePushChoices["rooms"]>;
    setChosenValue(value);
    await submission.run(async () => setChangedState(await (await client.notifications()).change({ rooms })));
    setChosenValue(undefined);
  };
  return (
    <Dialog
      title={texts.notificationsOf(roomTitle(room))}
      isOpen
      onClose={onClose}
      buttons={<Button onClick={onClose}>{texts.done}</Button>}
    >
      <RequestView request={request}>
        {(loadedState) => {
          const { choices, devices } = changedState ?? loadedState;
          return (
            <>
              <ChoiceGroup
                label={texts.rules}
                value={chosenValue ?? choices.rooms[room.id] ?? SAME}
                choices={[
                  { value: SAME, title: texts.sameAsOtherRooms, detail: texts.ruleTitles[choices.rule] },
                  ...ruleChoices,
                ]}
                onChange={(value) => observe(change(value))}
              />
              <p>
                {devices.length === 0 ? `${texts.notOnThisDevice} ` : ""}
                <Link href={paths.notifications}>{texts.settingsOfNotifications}</Link>
              </p>
            </>
          );
        }}
      </RequestView>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </Dialog>
  );
};
