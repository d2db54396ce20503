/** The question about the person: name and time zone. */
import { isZone, RecordName } from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Apply, Situation, Step } from "./step.ts";

/** The initial name of every owner. */
const DEFAULT_NAME = "Owner";

type Answer = NonNullable<Answers["person"]>;

const createApply =
  ({ client, me, house }: Situation, { name, timezone }: Answer): Apply =>
  async () => {
    const content = {
      ...(name === undefined || name === me.content.name ? {} : { name }),
      ...(timezone === undefined ? {} : { timezone }),
    };
    const record = Object.keys(content).length === 0 ? me : await client.agents.update(me.id, { content });
    if (timezone !== undefined && house.content.timezone !== timezone)
      await client.houses.update(house.id, { content: { timezone } });
    return `You are ${record.content.name}, @${record.handle}, in ${timezone ?? house.content.timezone}`;
  };

export const personStep: Step = {
  name: "person",
  title: "You",
  progressText: "Saving your name",
  async describe({ me }) {
    const { name, timezone } = me.content;
    return name === DEFAULT_NAME ? undefined : `${name}${timezone === undefined ? "" : `, ${timezone}`}`;
  },
  async ask(situation, asker) {
    const { me, zone } = situation;
    const name = await asker.text({
      message: "What is your name?",
      example: "Leave empty to skip",
      ...(me.content.name === DEFAULT_NAME ? {} : { initial: me.content.name }),
      check: (text) => RecordName.safeParse(text).error?.issues[0]?.message,
    });
    const timezone = await asker.text({
      message: "What is your time zone?",
      example: "Europe/Berlin",
      initial: me.content.timezone ?? zone,
      check: (text) => (isZone(text) ? undefined : "Enter an IANA time zone, such as Europe/Berlin."),
    });
    if (name === undefined && timezone === undefined) return undefined;
    return createApply(situation, {
      ...(name === undefined ? {} : { name }),
      ...(timezone === undefined ? {} : { timezone }),
    });
  },
  applyFromFile: (situation, { person }) => (person === undefined ? undefined : createApply(situation, person)),
};
