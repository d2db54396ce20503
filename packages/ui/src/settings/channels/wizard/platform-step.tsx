/** Chooses the chat platform. */
import { Button } from "../../../design/button.tsx";
import { ChoiceGroup } from "../../../design/choice.tsx";
import { Form } from "../../form/form.tsx";
import styles from "../../settings.module.css";
import type { ChannelDraft } from "./channel-draft.ts";
import { platforms } from "./platforms.ts";
import * as texts from "./text.ts";

export interface PlatformStepProps {
  readonly draft: ChannelDraft;
  readonly onChange: (changes: Partial<ChannelDraft>) => void;
  readonly onNext: () => void;
}

export const PlatformStep = ({ draft, onChange, onNext }: PlatformStepProps) => (
  <Form onSubmit={async () => onNext()}>
    <ChoiceGroup
      label={texts.platform}
      value={draft.kind}
      onChange={(kind) => onChange({ kind })}
      choices={platforms.map(({ kind, title, detail }) => ({ value: kind, title, detail }))}
    />
    <div className={styles.buttons}>
      <Button kind="primary" type="submit">
        {texts.next}
      </Button>
    </div>
  </Form>
);
