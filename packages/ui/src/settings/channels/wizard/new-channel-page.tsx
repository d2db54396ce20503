/**
 * Connects a chat platform in five steps: the platform, its token, access, a pairing code and a test
 * message. Once the channel exists, the address of the page contains its name, so that a reload
 * continues with the pairing.
 */
import type { AgentRecord, HouseId } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { classes } from "../../../design/classes.ts";
import { VisuallyHidden } from "../../../design/hidden.tsx";
import { Icon } from "../../../design/icon.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useFilters } from "../../../house/filters.ts";
import { useHouse, useUi } from "../../../house/ui.tsx";
import { agentsOf, byName } from "../../form/choose-agents.tsx";
import { Section } from "../../form/section.tsx";
import { UpLink } from "../../form/up-link.tsx";
import { paths } from "../../place.ts";
import { AccessStep } from "./access-step.tsx";
import type { ChannelDraft } from "./channel-draft.ts";
import { PairingStep } from "./pairing-step.tsx";
import { PlatformStep } from "./platform-step.tsx";
import { platforms } from "./platforms.ts";
import { TestStep } from "./test-step.tsx";
import { TokenStep } from "./token-step.tsx";
import styles from "./wizard.module.css";
import * as texts from "./text.ts";

const steps = ["platform", "token", "access", "pairing", "test"] as const;
export type Step = (typeof steps)[number];

export interface NewChannelPageProps {
  /** The house whose agents answer on channels. */
  readonly home: HouseId | undefined;
}

export const NewChannelPage = ({ home }: NewChannelPageProps) => {
  const { client } = useUi();
  const agents = [...useHouse().agents.values()];
  const bots = agentsOf(agents, home)
    .filter(({ content }) => content.kind === "bot")
    .toSorted(byName);
  const request = useRequest(useCallback(async () => (await client.channels()).list(), [client]));
  return (
    <>
      <UpLink to={paths.channels}>{texts.channels}</UpLink>
      <RequestView request={request}>
        {(channels) => <Wizard bots={bots} takenNames={channels.map(({ name }) => name)} />}
      </RequestView>
    </>
  );
};

export interface WizardProps {
  readonly bots: readonly AgentRecord[];
  /** Names of the channels of the house. */
  readonly takenNames: readonly string[];
}

export const Wizard = ({ bots, takenNames }: WizardProps) => {
  const address = useFilters(["channel", "sender"]);
  const { channel, sender } = address.values;
  const [stepBeforeChannel, setStepBeforeChannel] = useState<"platform" | "token" | "access">("platform");
  const [account, setAccount] = useState("");
  const [draft, setDraft] = useState<ChannelDraft>({
    kind: platforms[0].kind,
    token: "",
    agent: bots[0]?.handle ?? "",
    mode: "pairing",
    allow: "",
    directOnly: false,
    mentionRequired: false,
  });
  const change = (changes: Partial<ChannelDraft>): void => setDraft({ ...draft, ...changes });
  const step: Step = channel === "" ? stepBeforeChannel : sender === "" ? "pairing" : "test";
  return (
    <Section title={texts.addChannel}>
      <StepList currentStep={step} />
      {step === "platform" ? (
        <PlatformStep draft={draft} onChange={change} onNext={() => setStepBeforeChannel("token")} />
      ) : step === "token" ? (
        <TokenStep
          draft={draft}
          onChange={change}
          onBack={() => setStepBeforeChannel("platform")}
          onNext={(foundAccount) => {
            setAccount(foundAccount);
            setStepBeforeChannel("access");
          }}
        />
      ) : step === "access" ? (
        <AccessStep
          draft={draft}
          bots={bots}
          takenNames={takenNames}
          account={account}
          onChange={change}
          onBack={() => setStepBeforeChannel("token")}
          onAdded={(name) => address.set("channel", name)}
        />
      ) : step === "pairing" ? (
        <PairingStep
          channel={channel}
          mode={draft.mode}
          onPaired={(pairedSender) => address.set("sender", pairedSender)}
        />
      ) : (
        <TestStep channel={channel} sender={sender} />
      )}
    </Section>
  );
};

/** The list of steps, which marks the current step. */
export const StepList = ({ currentStep }: { readonly currentStep: Step }) => {
  const currentIndex = steps.indexOf(currentStep);
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={step === currentStep ? "step" : undefined}
          className={classes(styles.step, index < currentIndex && styles.done)}
        >
          <span className={styles.number} aria-hidden="true">
            {index < currentIndex ? <Icon name="check" /> : index + 1}
          </span>
          <span className={styles.title}>{texts.stepTitles[step]}</span>
          {index < currentIndex ? <VisuallyHidden>{texts.stepDone}</VisuallyHidden> : undefined}
        </li>
      ))}
    </ol>
  );
};
