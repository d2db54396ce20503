/** The brain files in the prompt of every run, in order, with the size of each part. */
import type { AgentRecord, PromptPartReport, PromptReport } from "@hearth/protocol";
import { Fragment, useCallback, useId, useState } from "react";
import { Link } from "wouter";
import { Button } from "../design/button.tsx";
import { Field, Select } from "../design/field.tsx";
import { useRequest } from "../house/request.ts";
import { useAttention } from "../house/attention.ts";
import { RequestView } from "../house/request-view.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { formatNumber } from "../language/locale.ts";
import { pathOfAgent } from "../settings/place.ts";
import { CodeText } from "../text/code-text.tsx";
import { toVisible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { pathOfFile } from "./place.ts";
import * as texts from "./text.ts";

export const PromptTab = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { rooms } = useHouse();
  const { id, house } = agent;
  const [room, setRoom] = useState("");
  const request = useRequest(
    useCallback(() => client.agents.prompt(id, room === "" ? {} : { room }), [client, id, room]),
  );
  useAttention(request.reload);
  const agentRooms = rooms.filter(
    (entry) => entry.room.house === house && entry.room.content.members?.includes(id) !== false,
  );
  return (
    <section className={styles.section} aria-label={texts.prompt}>
      <Field label={texts.promptRoom} hint={texts.promptRoomHint}>
        {(ids) => (
          <Select {...ids} value={room} onChange={(event) => setRoom(event.target.value)}>
            <option value="">{texts.privateRooms}</option>
            {agentRooms.map((entry) => (
              <option key={entry.room.id} value={entry.room.id}>
                {toVisible(entry.room.content.name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RequestView request={request}>{(report) => <PromptTable agent={agent} report={report} />}</RequestView>
    </section>
  );
};

export interface PromptTableProps {
  readonly agent: AgentRecord;
  readonly report: PromptReport;
}

export const PromptTable = ({ agent, report: { parts, tokens } }: PromptTableProps) =>
  parts.length === 0 ? (
    <p className={styles.quiet}>{texts.emptyPrompt}</p>
  ) : (
    <>
      <p id="prompt-parts" className={styles.quiet}>
        {texts.promptOrder}
      </p>
      <table className={styles.table} aria-label={texts.promptParts} aria-describedby="prompt-parts">
        <thead>
          <tr>
            <th scope="col">{texts.part}</th>
            <th scope="col">{texts.characters}</th>
            <th scope="col">{texts.tokens}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, index) => (
            <PromptPart key={`${index} ${part.name}`} agent={agent} part={part} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <td>{formatNumber(parts.reduce((sum, { length }) => sum + length, 0))}</td>
            <td>{formatNumber(tokens)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );

const placeWords: Readonly<Record<PromptPartReport["place"], string>> = {
  prefix: texts.stableBetweenRuns,
  memory: texts.longTermMemory,
  late: texts.changesWithEveryRun,
};

const PromptPart = ({ agent, part }: { readonly agent: AgentRecord; readonly part: PromptPartReport }) => {
  const [isOpen, setOpen] = useState(false);
  const textId = useId();
  const notes = [placeWords[part.place], ...notesOf(part)];
  return (
    <Fragment>
      <tr>
        <th scope="row">
          <PartName agent={agent} name={part.name} />
          <span className={styles.quiet}>{notes.join(" · ")}</span>
          <Button
            kind="quiet"
            size="small"
            className={styles.unfold}
            aria-expanded={isOpen}
            aria-controls={isOpen ? textId : undefined}
            aria-label={isOpen ? texts.hideTextOf(toVisible(part.name)) : texts.showTextOf(toVisible(part.name))}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? texts.hideText : texts.showText}
          </Button>
        </th>
        <td>{formatNumber(part.length)}</td>
        <td>{formatNumber(part.tokens)}</td>
      </tr>
      {isOpen ? (
        <tr id={textId}>
          <td colSpan={3} className={styles.text}>
            <CodeText text={part.text} />
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
};

/** The name of a prompt part, with a link to its file or to the agent's settings. */
const PartName = ({ agent: { handle }, name }: { readonly agent: AgentRecord; readonly name: string }) => {
  if (name === "prompt") return <Link href={pathOfAgent(handle)}>{texts.instructionsInSettings}</Link>;
  if (name === "skills") return texts.skillNames;
  return <Link href={pathOfFile(handle, name)}>{toVisible(name)}</Link>;
};

/** Describes how a prompt part differs from its file. */
export const notesOf = ({ isCut, fileLength, hiddenLines }: PromptPartReport): readonly string[] => [
  ...(isCut ? [texts.shortened(formatNumber(fileLength))] : []),
  ...(hiddenLines === 0
    ? []
    : [hiddenLines === 1 ? texts.oneHiddenLine : texts.hiddenLines(formatNumber(hiddenLines))]),
];
