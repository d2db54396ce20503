/** First step: name and time zone of the user. */
import { observe } from "@hearth/client";
import { type HouseRecord, isZone, MAX_NAME_LENGTH, type AgentRecord } from "@hearth/protocol";
import { useState } from "react";
import { Field, TextInput } from "../design/field.tsx";
import { useUi } from "../house/ui.tsx";
import { errorOfField, omitFieldErrors } from "../models/field-error.ts";
import { useSubmission } from "../house/use-submission.ts";
import { unknownTimeZone } from "../models/text.ts";
import { ownZone, ZoneField } from "../models/zone-field.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import * as texts from "./text.ts";

/** The initial name of every owner. */
const DEFAULT_NAME = "Owner";

export interface YouStepProps extends StepProps {
  readonly me: AgentRecord;
  readonly house: HouseRecord;
  readonly typedTexts: Readonly<Record<string, string>>;
  readonly onType: (field: string, text: string) => void;
}

export const YouStep = ({ me, house, typedTexts, onType, ...step }: YouStepProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [errors, setErrors] = useState<{ readonly name?: string; readonly timezone?: string }>({});
  const name = typedTexts["name"] ?? (me.content.name === DEFAULT_NAME ? "" : me.content.name);
  const timezone = typedTexts["timezone"] ?? me.content.timezone ?? ownZone();

  const changeField = (field: string, text: string): void => {
    setErrors({});
    submission.clear();
    onType(field, text);
  };
  const submit = async (): Promise<void> => {
    const zone = timezone.trim();
    const newErrors = {
      ...(name.trim() === "" ? { name: texts.enterYourName } : {}),
      ...(isZone(zone) ? {} : { timezone: unknownTimeZone }),
    };
    setErrors(newErrors);
    if (Object.keys(newErrors).length > 0) return;
    const isSaved = await submission.run(async () => {
      await client.agents.update(me.id, {
        content: { ...(name.trim() === me.content.name ? {} : { name: name.trim() }), timezone: zone },
      });
      if (house.content.timezone !== zone) await client.houses.update(house.id, { content: { timezone: zone } });
    });
    if (isSaved) step.onDone();
  };

  return (
    <StepFrame
      {...step}
      title={texts.yourProfile}
      text={texts.yourProfileDetail}
      isBusy={submission.isBusy}
      error={omitFieldErrors(submission.error, ["name", "timezone"])}
      onSubmit={() => observe(submit())}
    >
      <Field label={texts.yourName} error={errors.name ?? errorOfField(submission.error, "name")}>
        {(ids) => (
          <TextInput
            {...ids}
            value={name}
            maxLength={MAX_NAME_LENGTH}
            autoComplete="name"
            onChange={(event) => changeField("name", event.target.value)}
          />
        )}
      </Field>
      <ZoneField
        label={texts.yourTimeZone}
        hint={texts.timeZoneHint}
        value={timezone}
        error={errors.timezone ?? errorOfField(submission.error, "timezone")}
        onChange={(zone) => changeField("timezone", zone)}
      />
    </StepFrame>
  );
};
