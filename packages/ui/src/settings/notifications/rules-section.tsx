/**
 * The rules for notifications: the rule for all rooms, the rules of single rooms, and whether
 * notifications contain text.
 */
import type { ChangePushChoices, PushState, RoomId } from "@hearth/protocol";
import { PushRule } from "@hearth/protocol/api";
import { useRef } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { ChoiceGroup } from "../../design/choice.tsx";
import { Checkbox, Field, Select } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Section } from "../form/section.tsx";
import type { NotificationsProps } from "./notifications-props.ts";
import * as texts from "./text.ts";

export const ruleChoices = PushRule.options.map((value) => ({
  value,
  title: texts.ruleTitles[value],
  detail: texts.ruleDetails[value],
}));

export const RulesSection = ({ state, onChange }: NotificationsProps) => {
  const { choices } = state;
  const { client } = useUi();
  const { rooms } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  /** Resolves when all changes so far are saved or have failed. */
  const saveQueue = useRef<Promise<unknown>>(Promise.resolve());
  const unsavedCount = useRef(0);
  const save = async (changes: ChangePushChoices): Promise<void> => {
    const isDone = await submission.run(async () => {
      const savedState = await (await client.notifications()).change(changes);
      // The page already shows later changes, which this answer lacks.
      if (unsavedCount.current === 1) onChange(savedState);
    });
    unsavedCount.current -= 1;
    if (isDone) announce(texts.ruleSaved);
    else onChange(state);
  };
  /** Shows the choice at once, and the former one again if it cannot be saved. Saves changes in their order. */
  const change = (changes: ChangePushChoices): void => {
    onChange(withChoices(state, changes));
    unsavedCount.current += 1;
    saveQueue.current = saveQueue.current.then(() => save(changes));
  };
  const setRoom = (room: RoomId, text: string): void => {
    const rule = PushRule.options.find((option) => option === text) ?? null;
    change({ rooms: { [room]: rule } as NonNullable<ChangePushChoices["rooms"]> });
  };
  return (
    <Section title={texts.rules} text={texts.rulesIntroduction}>
      <ChoiceGroup
        label={texts.everyRoom}
        value={choices.rule}
        choices={ruleChoices}
        onChange={(rule) => change({ rule })}
      />
      {rooms
        .filter(({ room }) => choices.rooms[room.id] !== undefined)
        .map(({ room }) => (
          <Field key={room.id} label={roomTitle(room)}>
            {(ids) => (
              <Select
                {...ids}
                value={choices.rooms[room.id] ?? ""}
                onChange={({ target }) => setRoom(room.id, target.value)}
              >
                {PushRule.options.map((rule) => (
                  <option key={rule} value={rule}>
                    {texts.ruleTitles[rule]}
                  </option>
                ))}
                <option value="">{texts.sameAsOtherRooms}</option>
              </Select>
            )}
          </Field>
        ))}
      <Checkbox
        label={texts.showsText}
        detail={texts.showsTextDetail}
        checked={choices.showsText}
        onChange={({ target }) => change({ showsText: target.checked })}
      />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </Section>
  );
};

/** Returns the state after the change. Does not remove rules that end. */
export const withChoices = (state: PushState, { rule, rooms, showsText }: ChangePushChoices): PushState => {
  const { choices } = state;
  const changedRules = Object.entries(rooms ?? {}).filter(([, roomRule]) => roomRule !== null);
  return {
    ...state,
    choices: {
      ...choices,
      rule: rule ?? choices.rule,
      rooms: { ...choices.rooms, ...Object.fromEntries(changedRules) },
      showsText: showsText ?? choices.showsText,
    },
  };
};
