/** Allows an agent's requests to a host to contain a secret. */
import { type AgentRecord, type HouseRecord, isHostPattern, SecretHolder, type SecretInfo } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import { HostInput } from "./host-input.tsx";
import * as texts from "./text.ts";

export interface AllowUseProps {
  readonly secret: SecretInfo;
  readonly house: HouseRecord;
  readonly bots: readonly AgentRecord[];
  readonly onAllowed: () => void;
}

const carriers = {
  bearer: { title: texts.bearer },
  basic: { title: texts.basic, name: texts.userName, hint: undefined },
  header: { title: texts.header, name: texts.headerName, hint: texts.headerNameHint },
} as const;
type Carrier = keyof typeof carriers;

export const AllowUse = ({ secret, house, bots, onAllowed }: AllowUseProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [holder, setHolder] = useState<string>(bots[0]?.id ?? "providers");
  const [host, setHost] = useState("");
  const [carrier, setCarrier] = useState<Carrier>("bearer");
  const [name, setName] = useState("");
  const [isWrongHost, setWrongHost] = useState(false);
  const hostName = host.trim().toLowerCase();
  const agent = bots.find(({ id }) => id === holder);
  const allow = async (): Promise<void> => {
    const isHost = isHostPattern(hostName);
    setWrongHost(!isHost);
    if (!isHost) return;
    const as = carrier === "bearer" ? carrier : `${carrier}:${name.trim()}`;
    const isAllowed = await submission.run(async () =>
      (await client.secrets()).grant(house.id, secret.name, {
        agent: SecretHolder.parse(holder),
        host: hostName,
        as,
      }),
    );
    if (!isAllowed) return;
    announce(texts.secretUseAllowed(secret.name));
    onAllowed();
  };
  return (
    <Form onSubmit={allow}>
      <div className={styles.pair}>
        <Field label={texts.usedBy}>
          {(ids) => (
            <Select {...ids} value={holder} onChange={(event) => setHolder(event.target.value)}>
              {bots.map(({ id, content }) => (
                <option key={id} value={id}>
                  {toVisible(content.name)}
                </option>
              ))}
              <option value="providers">{texts.modelProviders}</option>
            </Select>
          )}
        </Field>
        <HostInput value={host} isWrong={isWrongHost} onChange={setHost} />
      </div>
      <CarrierFields carrier={carrier} name={name} onCarrier={setCarrier} onName={setName} />
      {agent === undefined || hostName === "" || isReachable(agent, hostName) ? undefined : (
        <p className={styles.quiet}>{texts.hostNotReachable(toVisible(agent.content.name), toVisible(hostName))}</p>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          isBusy={submission.isBusy}
          disabled={hostName === "" || (carrier !== "bearer" && name.trim() === "")}
        >
          {texts.allowUse}
        </Button>
      </div>
    </Form>
  );
};

interface CarrierFieldsProps {
  readonly carrier: Carrier;
  /** The user name or the name of the header. */
  readonly name: string;
  readonly onCarrier: (carrier: Carrier) => void;
  readonly onName: (name: string) => void;
}

const CarrierFields = ({ carrier, name, onCarrier, onName }: CarrierFieldsProps) => {
  const carrierTexts = carriers[carrier];
  return (
    <div className={styles.pair}>
      <Field label={texts.addedAs}>
        {(ids) => (
          <Select {...ids} value={carrier} onChange={(event) => onCarrier(event.target.value as Carrier)}>
            {Object.entries(carriers).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {"name" in carrierTexts ? (
        <Field label={carrierTexts.name} hint={carrierTexts.hint}>
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onName(event.target.value)}
            />
          )}
        </Field>
      ) : undefined}
    </div>
  );
};

/** Whether a grant of the agent names this host, or a wildcard above it. */
export const isReachable = ({ content }: AgentRecord, host: string): boolean =>
  content.egress?.some((grant) =>
    grant.host.startsWith("*.") ? host === grant.host || host.endsWith(grant.host.slice(1)) : grant.host === host,
  ) === true;
