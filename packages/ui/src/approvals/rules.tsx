/** Saved approval rules, each with a button that removes it. */
import { observe } from "@hearth/client";
import type { ApprovalRule } from "@hearth/protocol";
import { Fragment, useCallback, useEffect, useRef } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useRequest } from "../house/request.ts";
import { roomTitle } from "../house/room-title.ts";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { toolWords } from "../language/text.ts";
import { toVisible, VisibleText } from "../text/visible.tsx";
import styles from "./approvals.module.css";
import { describeRule } from "./approved-scope.ts";
import { titleOfTool } from "./tool-texts.ts";
import * as texts from "./text.ts";

/** Fetched again after each decision on this page. */
export const Rules = ({ decisionCount }: { readonly decisionCount: number }) => {
  const { client } = useUi();
  const load = useCallback(async () => (await client.approvals()).rules(), [client]);
  const { value, error, reload } = useRequest(load);
  const lastCount = useRef(decisionCount);
  useEffect(() => {
    if (lastCount.current === decisionCount) return;
    lastCount.current = decisionCount;
    reload();
  }, [decisionCount, reload]);
  return (
    <section aria-labelledby="rules" className={styles.rules}>
      <h2 id="rules">{texts.savedRules}</h2>
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {value === undefined ? undefined : <RuleList rules={value} onChanged={reload} />}
    </section>
  );
};

export interface RuleListProps {
  readonly rules: readonly ApprovalRule[];
  readonly onChanged: () => void;
}

export const RuleList = ({ rules, onChanged }: RuleListProps) => {
  const { client } = useUi();
  const { agents, me } = useHouse();
  const announce = useAnnounce();
  const submission = useSubmission();
  const removeRule = async (id: ApprovalRule["id"]): Promise<void> => {
    if (await submission.run(async () => (await client.approvals()).removeRule(id))) announce(texts.ruleRemoved);
    onChanged();
  };
  const nameOf = ({ by }: ApprovalRule): string =>
    by === me?.agent.id ? texts.you : toVisible(agents.get(by)?.content.name ?? texts.formerMember);
  return (
    <>
      <p className={styles.quiet}>{rules.length === 0 ? texts.noSavedRules : texts.savedRulesDetail}</p>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <ul className={styles.ruleList}>
        {rules.map((rule) => (
          <li key={rule.id}>
            <span className={styles.rule}>
              <RuleText rule={rule} />
              <span className={styles.quiet}>
                {texts.allowedBy(nameOf(rule))} <Time at={rule.at} style="relative" />
              </span>
            </span>
            <Button size="small" aria-describedby={rule.id} onClick={() => observe(removeRule(rule.id))}>
              {texts.removeRule}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
};

/** A sentence, the values that a call must have, and what may differ. The exact text is in the details. */
const RuleText = ({ rule }: { readonly rule: ApprovalRule }) => {
  const { agents, rooms } = useHouse();
  const description = describeRule(rule);
  if (description === undefined) return <span id={rule.id}>{toVisible(rule.text)}</span>;
  const agent = toVisible(agents.get(rule.agent)?.content.name ?? texts.formerMember);
  const room = rooms.find((entry) => entry.room.id === rule.room)?.room;
  const isCommand = toolWords(rule.tool)?.command !== undefined;
  return (
    <>
      <span id={rule.id}>
        {isCommand ? texts.mayRunCommand(agent) : texts.mayCall(agent, titleOfTool(rule.tool) ?? toVisible(rule.tool))}
      </span>
      <dl className={styles.facts}>
        {description.values.map(({ title, text }) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>
              <code dir="ltr">
                <VisibleText text={text} />
              </code>
            </dd>
          </Fragment>
        ))}
      </dl>
      <span>
        {rule.room === undefined
          ? texts.inEveryRoom
          : texts.inRoomUntilSession(room === undefined ? texts.aRoomYouCannotSee : roomTitle(room))}{" "}
        {description.variableFields}
      </span>
      <details className={styles.details}>
        <summary>{texts.exactRule}</summary>
        <p className={styles.quiet}>{toVisible(rule.text)}</p>
      </details>
    </>
  );
};
