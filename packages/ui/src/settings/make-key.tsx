/** Makes a key: whom it acts as, what it may do at most, and until when. */
import { AgentId, type AgentRecord, type CreatedKey, type Level } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../design/button.tsx";
import { Field, Select, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { Form } from "./form.tsx";
import { NewKey } from "./new-key.tsx";
import styles from "./settings.module.css";

export interface MakeKeyProps {
  readonly me: AgentRecord;
  /** Whom it may act as. */
  readonly agents: readonly AgentRecord[];
  readonly onMade: () => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const lifetimes = [
  { days: 0, title: "Until it is revoked" },
  { days: 7, title: "For a week" },
  { days: 30, title: "For 30 days" },
  { days: 365, title: "For a year" },
] as const;

export const MakeKey = ({ me, agents, onMade }: MakeKeyProps) => {
  const { client, clock } = useUi();
  const work = useWork();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string>();
  const [level, setLevel] = useState<Level | "">("");
  const [days, setDays] = useState(0);
  const [isNameless, setNameless] = useState(false);
  const [made, setMade] = useState<CreatedKey>();
  const agent = chosen ?? agents.find(({ id }) => id === me.id)?.id ?? agents[0]?.id ?? me.id;
  const make = async (): Promise<void> => {
    setNameless(name.trim() === "");
    if (name.trim() === "") return;
    await work.run(async () => {
      setMade(
        await client.keys.create({
          name: name.trim(),
          agent: AgentId.parse(agent),
          ...(level === "" ? {} : { scope: { level } }),
          ...(days === 0 ? {} : { expiresAt: clock.now() + days * DAY_MS }),
        }),
      );
      setName("");
      onMade();
    });
  };
  return (
    <>
      {made === undefined ? undefined : <NewKey made={made} onClose={() => setMade(undefined)} />}
      <Form onSubmit={make}>
        <Field
          label="What the new key is for"
          hint="So that you know it again, such as the program's name."
          error={isNameless ? "Write what it is for." : undefined}
        >
          {(ids) => (
            <TextInput
              {...ids}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={(event) => {
                setNameless(false);
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        {agents.length < 2 ? undefined : (
          <Field label="It acts as">
            {(ids) => (
              <Select {...ids} value={agent} onChange={(event) => setChosen(event.target.value)}>
                {agents.map(({ id, content }) => (
                  <option key={id} value={id}>
                    {visible(content.name)}
                    {id === me.id ? " (you)" : ""}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <div className={styles.pair}>
          <Field label="It may">
            {(ids) => (
              <Select {...ids} value={level} onChange={(event) => setLevel(event.target.value as Level | "")}>
                <option value="">
                  Do all that {visible(agents.find(({ id }) => id === agent)?.content.name ?? "its agent")} may
                </option>
                <option value="w">Read and speak</option>
                <option value="r">Read</option>
              </Select>
            )}
          </Field>
          <Field label="It works">
            {(ids) => (
              <Select {...ids} value={days} onChange={(event) => setDays(Number(event.target.value))}>
                {lifetimes.map((lifetime) => (
                  <option key={lifetime.days} value={lifetime.days}>
                    {lifetime.title}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
        <div className={styles.buttons}>
          <Button type="submit" isBusy={work.isBusy}>
            Make key
          </Button>
        </div>
      </Form>
    </>
  );
};
