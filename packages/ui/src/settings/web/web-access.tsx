/** The hosts that one agent may reach. */
import { type AgentRecord, EGRESS_PATH, type EgressGrant, isHostPattern, type PatchRecord } from "@hearth/protocol";
import { useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { ListTable } from "../../lists/list-table.tsx";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { pickNewest } from "../form/newest.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { describeHost, describeLimits } from "./grant-words.ts";
import { HostInput } from "./host-input.tsx";
import * as texts from "./text.ts";

export interface WebAccessProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const WebAccess = ({ agent, onChange }: WebAccessProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const savedAgent = useRef(agent);
  /** Saves the hosts. Sends the version that is shown or was saved here, so that a concurrent change is not undone. */
  const save = async (change: (grants: readonly EgressGrant[]) => readonly EgressGrant[]): Promise<void> => {
    const { id, version, content } = pickNewest(agent, savedAgent.current);
    const newGrants = change(content.egress ?? []);
    const egress = newGrants.length === 0 ? null : [...newGrants];
    savedAgent.current = await client.agents.update(id, { version, content: { egress } as PatchRecord["content"] });
    onChange(savedAgent.current);
  };
  const omitGrant = (grants: readonly EgressGrant[], removedGrant: EgressGrant): readonly EgressGrant[] =>
    grants.filter((grant) => describeHost(grant) !== describeHost(removedGrant));
  const allow = async (grant: EgressGrant): Promise<boolean> => {
    const isSaved = await submission.run(() => save((grants) => [...omitGrant(grants, grant), grant]));
    if (isSaved) announce(texts.hostAllowed(describeHost(grant)));
    return isSaved;
  };
  return (
    <Section title={texts.hosts} text={texts.hostsIntroduction(agent.content.name)}>
      <HostTable grants={agent.content.egress ?? []} onRemove={(grant) => save((grants) => omitGrant(grants, grant))} />
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <AllowHost isBusy={submission.isBusy} onAllow={allow} />
    </Section>
  );
};

export interface HostTableProps {
  readonly grants: readonly EgressGrant[];
  readonly onRemove: (grant: EgressGrant) => Promise<void>;
}

export const HostTable = ({ grants, onRemove }: HostTableProps) => (
  <ListTable
    label={texts.hosts}
    rows={grants}
    keyOf={describeHost}
    nameOf={(grant) => toVisible(describeHost(grant))}
    columns={hostColumns}
    changes={[
      {
        id: "remove",
        label: texts.remove,
        icon: "delete",
        title: texts.removeHostCount,
        isDanger: true,
        run: onRemove,
        done: texts.hostsRemoved,
      },
    ]}
    empty={<p className={styles.quiet}>{texts.noHosts}</p>}
  />
);

const hostColumns: readonly [TableColumn<EgressGrant>, ...TableColumn<EgressGrant>[]] = [
  { title: texts.host, cell: (grant) => <span className={styles.name}>{toVisible(describeHost(grant))}</span> },
  { title: texts.requests, cell: describeLimits },
];

interface AllowHostProps {
  readonly isBusy: boolean;
  /** Resolves to true once the host is allowed. */
  readonly onAllow: (grant: EgressGrant) => Promise<boolean>;
}

const AllowHost = ({ isBusy, onAllow }: AllowHostProps) => {
  const [host, setHost] = useState("");
  const [path, setPath] = useState("");
  const [isReadOnly, setReadOnly] = useState(true);
  const [invalidField, setInvalidField] = useState<"host" | "path">();
  const submit = async (): Promise<void> => {
    const grantOrField = toEgressGrant({ host, path, isReadOnly });
    setInvalidField(typeof grantOrField === "string" ? grantOrField : undefined);
    if (typeof grantOrField === "string" || !(await onAllow(grantOrField))) return;
    setHost("");
    setPath("");
  };
  return (
    <Form onSubmit={submit}>
      <HostInput hint={texts.hostHint} value={host} isWrong={invalidField === "host"} onChange={setHost} />
      <div className={styles.pair}>
        <Field label={texts.access}>
          {(ids) => (
            <Select
              {...ids}
              value={isReadOnly ? "read" : "write"}
              onChange={(event) => setReadOnly(event.target.value === "read")}
            >
              <option value="read">{texts.readOnly}</option>
              <option value="write">{texts.readAndWrite}</option>
            </Select>
          )}
        </Field>
        <Field label={texts.path} hint={texts.pathHint} error={invalidField === "path" ? texts.invalidPath : undefined}>
          {(ids) => (
            <TextInput
              {...ids}
              value={path}
              maxLength={1000}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setPath(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className={styles.buttons}>
        <Button type="submit" isBusy={isBusy} disabled={host.trim() === ""}>
          {texts.allowHost}
        </Button>
      </div>
    </Form>
  );
};

export interface HostDraft {
  readonly host: string;
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** Returns the grant, or the name of the invalid field. If the user pasted a URL, uses its host. */
export const toEgressGrant = ({ host, path, isReadOnly }: HostDraft): EgressGrant | "host" | "path" => {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/.*$/, "");
  if (!isHostPattern(name)) return "host";
  const prefix = path.trim();
  if (prefix !== "" && !EGRESS_PATH.test(prefix)) return "path";
  return {
    host: name,
    ...(isReadOnly ? { methods: ["GET", "HEAD"] } : {}),
    ...(prefix === "" ? {} : { path: prefix }),
  };
};
