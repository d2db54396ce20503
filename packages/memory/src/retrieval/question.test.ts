import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseDay } from "../chunks/days.ts";
import { scoreDate } from "./nearness.ts";
import { analyzeQuestion } from "./question.ts";
import {
  countNames,
  hasQuotation,
  isReaction,
  analyzeChunk,
  usesFirstPerson,
  usesSecondPerson,
  mentionsNumber,
  mentionsTime,
} from "./reading.ts";
import { standardize, minMaxScale } from "./scale.ts";

const speakers = ["Caroline", "Ben Adler", "Al"];

test("a question names a speaker by the full or first name, not by part of a word", () => {
  const named = (text: string) => [...analyzeQuestion(text, speakers).namedSpeakers];
  expect(named("What did Caroline and Ben see?")).toEqual(["Caroline", "Ben Adler"]);
  expect(named("Is Caroline's dog alive?")).toEqual(["Caroline"]);
  expect(named("What is the adler's nest?")).toEqual([]);
});

test("`about` leaves out names unless the question has no other terms", () => {
  expect(analyzeQuestion("What did Caroline paint?", speakers).topicTerms).toEqual(["paint"]);
  expect(analyzeQuestion("Who is Caroline?", speakers).topicTerms).toEqual(["carolin"]);
});

test.each([
  ["When did she move?", "when"],
  ["In which year was it?", "when"],
  ["How many cats are there?", "how-many"],
  ["Who came?", "who"],
  ["In which city is it?", "where"],
  ["What came?", "other"],
] as const)("%s asks %s", (text, asks) => {
  expect(analyzeQuestion(text, []).kind).toBe(asks);
});

test("the topic is the question without the names of speakers", () => {
  const topicOf = (text: string) => analyzeQuestion(text, speakers).topic;
  expect(topicOf("When did Caroline go to the group?")).toBe("When did go to the group");
  expect(topicOf("What are Caroline’s and Ben's hobbies?")).toBe("What are and hobbies");
  expect(topicOf("Did Ben Adler see the Carolines?")).toBe("Did see the Carolines");
  expect(topicOf("Is Caroline's'x alive?")).toBe("Is 'x alive");
  expect(topicOf("Caroline?")).toBe("");
  expect(topicOf("what did caroline paint??")).toBe("what did paint");
  expect(topicOf("Who came,  and why?")).toBe("Who came,  and why?");
});

test("the topic keeps every word that is not a name, in order", () => {
  const name = fc.constantFrom("Caroline", "caroline", "Ben", "BEN");
  const word = fc.constantFrom("plants", "and", "Carol", "benches", "été", "7");
  const isName = (one: string): boolean => ["caroline", "ben"].includes(one.toLowerCase());
  fc.assert(
    fc.property(fc.array(fc.oneof(name, word), { minLength: 1 }), (words) => {
      const { topic } = analyzeQuestion(words.join(" "), ["Caroline", "Ben"]);
      expect(topic).toBe(words.filter((one) => !isName(one)).join(" "));
    }),
  );
});

test("the kind of a text is read from its words", () => {
  const kindOf = (text: string) => {
    const reading = analyzeChunk({ text });
    const { isQuestion, hasQuestion, hasPicture } = reading;
    return {
      isQuestion,
      hasQuestion,
      hasPicture,
      time: mentionsTime(reading),
      number: mentionsNumber(reading),
      ...{
        i: usesFirstPerson(reading),
        you: usesSecondPerson(reading),
        reacts: isReaction(reading),
        quotes: hasQuotation(reading),
      },
      names: countNames(reading),
    };
  };
  expect(kindOf("Thanks! Did you see it last week? [shares a photo of a dog]")).toEqual({
    isQuestion: true,
    hasQuestion: true,
    hasPicture: true,
    time: true,
    number: false,
    i: false,
    you: true,
    reacts: true,
    quotes: false,
    names: 0,
  });
  expect(kindOf('I read "The Weaver" in Lisbon twice.')).toEqual({
    isQuestion: false,
    hasQuestion: false,
    hasPicture: false,
    time: false,
    number: true,
    i: true,
    you: false,
    reacts: false,
    quotes: true,
    names: 2,
  });
});

test("nearness is highest for the exact day, and higher soon after it than before it", () => {
  const { time } = analyzeQuestion("What happened on 7 July 2023?", []);
  const near = ["2023-07-07", "2023-07-12", "2023-07-02", "2023-11-07"].map((day) => scoreDate(parseDay(day), time));
  expect(near).toEqual([1.5, 0.7, 0.4, 0]);
  expect(scoreDate(undefined, time)).toBe(0);
});

test("missing values are scaled to the middle, and equal values to 0", () => {
  expect([...standardize(Float64Array.of(1, Number.NaN, 3))]).toEqual([-1, 0, 1]);
  expect([...standardize(Float64Array.of(2, 2))]).toEqual([0, 0]);
  expect([...minMaxScale(Float64Array.of(1, Number.NaN, 3))]).toEqual([0, 0, 1]);
  expect([...minMaxScale(new Float64Array())]).toEqual([]);
});
