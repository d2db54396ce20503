/** When an agent asks a person, and the folders that it may write without asking. */
import { observe } from "@hearth/client";
import { type AgentMode, DEFAULT_AGENT_MODE } from "@hearth/protocol";
import { useAnnounce } from "../../../design/announcer.tsx";
import { ChoiceGroup } from "../../../design/choice.tsx";
import { Field, TextArea } from "../../../design/field.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { RecordFields, Section } from "../../form/section.tsx";
import { useRecordForm } from "../../form/use-record-form.ts";
import type { AccessProps } from "./access-props.ts";
import * as texts from "./text.ts";

const modes = ["default", "ask", "plan", "unattended"] as const satisfies readonly AgentMode[];

export const ModeSection = ({ agent, onChange }: AccessProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const mode = agent.content.mode ?? DEFAULT_AGENT_MODE;
  const choose = async (newMode: AgentMode): Promise<void> => {
    const isSaved = await submission.run(async () =>
      onChange(await client.agents.update(agent.id, { content: { mode: newMode } })),
    );
    if (isSaved) announce(texts.saved);
  };
  return (
    <Section title={texts.approvals}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ChoiceGroup
        label={texts.approvalsOf(toVisible(agent.content.name))}
        value={mode}
        onChange={(newMode) => observe(choose(newMode))}
        choices={modes.map((value) => ({
          value,
          title: texts.modeTitles[value],
          detail: texts.modeDetails[value],
          badge: value === DEFAULT_AGENT_MODE ? texts.byDefault : undefined,
        }))}
      />
      {mode === "ask" ? <TrustedFolders agent={agent} onChange={onChange} /> : undefined}
    </Section>
  );
};

const TrustedFolders = ({ agent, onChange }: AccessProps) => {
  const { client } = useUi();
  const form = useRecordForm({
    name: `form:${agent.id}:trusted`,
    saved: { trusted: (agent.content.trusted ?? []).join("\n") },
    async save({ trusted }) {
      const folders = linesOf(trusted ?? "");
      const content = { trusted: folders.length === 0 ? null : folders };
      onChange(await client.agents.update(agent.id, { content }));
    },
  });
  return (
    <RecordFields form={form} subject={texts.trustedForm}>
      <Field label={texts.trustedFolders} hint={texts.trustedHint} error={form.errorOf("trusted")}>
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            spellCheck={false}
            value={form.values.trusted}
            onChange={(event) => form.set("trusted", event.target.value)}
          />
        )}
      </Field>
    </RecordFields>
  );
};

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];
