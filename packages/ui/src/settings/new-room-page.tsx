/** Another room of the house: its name and what it is for. Who takes part is said on its own page. */
import type { HouseRecord } from "@hearth/protocol";
import { useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { errorBeside, errorElsewhere } from "../models/field-error.ts";
import { useWork } from "../models/use-work.ts";
import { Form } from "./form.tsx";
import { NameField } from "./name-field.tsx";
import { pathOfRoom, paths } from "./place.ts";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";
import { UpLink } from "./up-link.tsx";

export const NewRoomPage = ({ house }: { readonly house: HouseRecord }) => {
  const { client } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const work = useWork();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [isNameless, setNameless] = useState(false);
  const make = async (): Promise<void> => {
    setNameless(name.trim() === "");
    if (name.trim() === "") return;
    await work.run(async () => {
      const about = description.trim() === "" ? {} : { description: description.trim() };
      const { handle } = await client.rooms.create({ name: name.trim(), ...about }, { house: house.id });
      announce(`${name.trim()} is made.`);
      navigate(pathOfRoom(handle));
    });
  };
  return (
    <>
      <UpLink to={paths.rooms}>Rooms</UpLink>
      <Section title="New room" text="It is open to the whole house, unless you change that afterwards.">
        <Form onSubmit={make}>
          <NameField
            value={name}
            error={isNameless ? "Write a name." : errorBeside(work.error, "name")}
            onChange={(next) => {
              setNameless(false);
              work.clear();
              setName(next);
            }}
          />
          <Field label="What it is for (optional)" hint="People and agents read it.">
            {(ids) => (
              <TextInput
                {...ids}
                value={description}
                autoComplete="off"
                onChange={(event) => setDescription(event.target.value)}
              />
            )}
          </Field>
          {work.error === undefined || errorElsewhere(work.error, ["name"]) === undefined ? undefined : (
            <ErrorNotice error={work.error} />
          )}
          <div className={styles.buttons}>
            <Button kind="primary" type="submit" isBusy={work.isBusy}>
              Make room
            </Button>
          </div>
        </Form>
      </Section>
    </>
  );
};
