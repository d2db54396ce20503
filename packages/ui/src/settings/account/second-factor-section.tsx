/** Sets up and turns off the second factor of a person, and creates recovery codes. */
import { observe } from "@hearth/client";
import type { AgentRecord, SecondFactorState } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { ShownOnce } from "../form/shown-once.tsx";
import styles from "../settings.module.css";
import { RenewCodes } from "./renew-codes.tsx";
import { SetUpSecondFactor } from "./set-up-second-factor.tsx";
import * as texts from "./text.ts";

export interface SecondFactorSectionProps {
  readonly person: AgentRecord;
  readonly isOwn: boolean;
}

export const SecondFactorSection = ({ person, isOwn }: SecondFactorSectionProps) => {
  const { client } = useUi();
  const { id } = person;
  const request = useRequest(useCallback(async () => (await client.secondFactors()).show(id), [client, id]));
  const [codes, setCodes] = useState<readonly string[]>();
  const showCodes = (newCodes: readonly string[]): void => {
    setCodes(newCodes);
    request.reload();
  };
  const name = toVisible(person.content.name);
  return (
    <Section title={texts.secondFactor} text={isOwn ? texts.secondFactorDetail : texts.secondFactorOf(name)}>
      <RequestView request={request}>
        {(state) => (
          <>
            <p>
              {state.since === undefined ? (
                texts.secondFactorIsOff
              ) : (
                <>
                  {texts.secondFactorIsOn}
                  <Time at={state.since} style="relative" />
                  {texts.recoveryCodesLeft(state.recoveryCodesLeft)}
                </>
              )}
            </p>
            {codes === undefined ? undefined : (
              <ShownOnce
                title={texts.recoveryCodesShown}
                text={codes.join("\n")}
                copyLabel={texts.copy}
                onClose={() => setCodes(undefined)}
              />
            )}
            {isOwn && state.isOn ? <RenewCodes onCodes={showCodes} /> : undefined}
            {isOwn && !state.isOn ? (
              <SetUpSecondFactor needsCurrent={state.needsCurrent} onCodes={showCodes} />
            ) : undefined}
            {state.isOn ? <TurnOff person={person} isOwn={isOwn} onChange={request.reload} /> : undefined}
          </>
        )}
      </RequestView>
    </Section>
  );
};

interface TurnOffProps extends SecondFactorSectionProps {
  readonly onChange: () => void;
}

const TurnOff = ({ person, isOwn, onChange }: TurnOffProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [isConfirming, setConfirming] = useState(false);
  const turnOff = async (): Promise<void> => {
    setConfirming(false);
    let newState: SecondFactorState | undefined;
    const isDone = await submission.run(async () => {
      newState = await (await client.secondFactors()).remove(person.id);
    });
    if (!isDone || newState?.isOn !== false) return;
    announce(texts.secondFactorIsOff);
    onChange();
  };
  return (
    <>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => setConfirming(true)}>
          {texts.turnOffSecondFactor}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.turnOffSecondFactor}
        text={isOwn ? texts.turnOffEffect : texts.turnOffEffectOf(toVisible(person.content.name))}
        confirm={texts.turnOff}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(turnOff())}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};
