/** Waits for a message on the new channel, and approves its sender by the code that the sender received. */
import type { AgentRecord, ChannelInfo, Pairing } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../../../design/announcer.tsx";
import { Button } from "../../../design/button.tsx";
import { Field, Select, TextInput } from "../../../design/field.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { Spinner } from "../../../design/spinner.tsx";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useInterval } from "../../../house/interval.ts";
import { useHouse, useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { byName } from "../../form/choose-agents.tsx";
import { Form } from "../../form/form.tsx";
import { paths } from "../../place.ts";
import styles from "../../settings.module.css";
import type { ChannelDraft } from "./channel-draft.ts";
import { findPlatform } from "./platforms.ts";
import * as texts from "./text.ts";

export interface PairingStepProps {
  readonly channel: string;
  readonly mode: ChannelDraft["mode"];
  /** Called with the platform's id of the approved sender. */
  readonly onPaired: (sender: string) => void;
}

const POLL_INTERVAL_MS = 2000;

export const PairingStep = ({ channel, mode, onPaired }: PairingStepProps) => {
  const { client } = useUi();
  const channelRequest = useRequest(
    useCallback(async () => {
      const calls = await client.channels();
      const info = (await calls.list()).find(({ name }) => name === channel);
      const test = info === undefined ? undefined : await calls.test(channel);
      return { info, account: test?.ok === true ? test.detail : "" };
    }, [client, channel]),
  );
  const pairings = useRequest(useCallback(async () => (await client.pairings()).list(), [client]));
  useInterval(POLL_INTERVAL_MS, pairings.reload);
  return (
    <RequestView request={channelRequest}>
      {({ info, account }) =>
        info === undefined ? (
          <p>{texts.noSuchChannel(toVisible(channel))}</p>
        ) : (
          <PairSender
            info={info}
            account={account}
            isCodeRequired={mode === "pairing"}
            pairings={(pairings.value ?? []).filter((pairing) => pairing.channel === channel)}
            onPaired={onPaired}
          />
        )
      }
    </RequestView>
  );
};

export interface PairSenderProps {
  readonly info: ChannelInfo;
  readonly account: string;
  /** Whether senders need a code. */
  readonly isCodeRequired: boolean;
  /** The senders of the channel. */
  readonly pairings: readonly Pairing[];
  readonly onPaired: (sender: string) => void;
}

export const PairSender = ({ info, account, isCodeRequired, pairings, onPaired }: PairSenderProps) => {
  const { client } = useUi();
  const { me, agents } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const people = [...agents.values()].filter(({ content }) => content.kind === "human").toSorted(byName);
  const [code, setCode] = useState("");
  const [person, setPerson] = useState<string>();
  const selectedPerson = person ?? me?.agent.id ?? "";
  const senders = pairings.filter(({ state }) => state === "pending");
  const approve = async (): Promise<void> => {
    await submission.run(async () => {
      const as = selectedPerson === "" ? {} : { as: selectedPerson };
      const pairing = await (await client.pairings()).approve({ code: code.trim(), ...as });
      announce(texts.senderApproved(toVisible(pairing.name === "" ? pairing.sender : pairing.name)));
      onPaired(pairing.sender);
    });
  };
  return (
    <Form onSubmit={approve}>
      <p>{findPlatform(info.kind)?.howToWrite(toVisible(account))}</p>
      {isCodeRequired ? (
        <>
          <p role="status" className={styles.quiet}>
            {senders.length === 0 ? (
              <>
                <Spinner label={texts.waitingForMessage} /> {texts.waitingForMessage}
              </>
            ) : (
              texts.codeSentTo(senders.map(({ name, sender }) => toVisible(name === "" ? sender : name)).join(", "))
            )}
          </p>
          <div className={styles.pair}>
            <Field label={texts.code} hint={texts.codeHint}>
              {(ids) => (
                <TextInput
                  {...ids}
                  value={code}
                  maxLength={20}
                  placeholder={texts.codeExample}
                  autoComplete="one-time-code"
                  autoCapitalize="characters"
                  spellCheck={false}
                  onChange={({ target }) => {
                    submission.clear();
                    setCode(target.value);
                  }}
                />
              )}
            </Field>
            <PersonField people={people} value={selectedPerson} me={me?.agent} onChange={setPerson} />
          </div>
        </>
      ) : (
        <p className={styles.quiet}>{texts.noCodeNeeded}</p>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        {isCodeRequired ? (
          <Button kind="primary" type="submit" isBusy={submission.isBusy} disabled={code.trim() === ""}>
            {texts.approve}
          </Button>
        ) : undefined}
        <Link href={paths.channels}>{isCodeRequired ? texts.later : texts.done}</Link>
      </div>
    </Form>
  );
};

interface PersonFieldProps {
  readonly people: readonly AgentRecord[];
  readonly value: string;
  readonly me: AgentRecord | undefined;
  readonly onChange: (person: string) => void;
}

const PersonField = ({ people, value, me, onChange }: PersonFieldProps) => (
  <Field label={texts.person} hint={texts.personHint}>
    {(ids) => (
      <Select {...ids} value={value} onChange={({ target }) => onChange(target.value)}>
        {people.map(({ id, content }) => (
          <option key={id} value={id}>
            {id === me?.id ? texts.you(toVisible(content.name)) : toVisible(content.name)}
          </option>
        ))}
        <option value="">{texts.newPerson}</option>
      </Select>
    )}
  </Field>
);
