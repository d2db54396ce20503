import { expect, test } from "bun:test";
import { languageOf } from "./text-language.ts";

test("the language of a text is recognized by its frequent words or its script", () => {
  const texts: Readonly<Record<string, string>> = {
    da: "Det er ikke for sent, og jeg har også vandet planterne.",
    de: "Ich habe die Tomaten gegossen. Das Wasser ist noch nicht leer.",
    en: "I have watered the tomatoes, and there is some water left for you.",
    es: "He regado las plantas y también hay agua para el jardín.",
    fr: "Les tomates sont dans le jardin, et il ne pleut pas.",
    it: "Ho già innaffiato il giardino, ma non è molto secco.",
    nl: "Ik heb het water niet gevonden, maar de tuin is nog nat.",
    pl: "Nie wiem, czy to jest dobre, ale może tak.",
    pt: "Não há mais água, mas você também está em casa.",
    sv: "Jag har inte vattnat, och det är för sent.",
    tr: "Bu çok güzel ve daha iyi bir gün için.",
    ru: "Я полил помидоры, see README.",
    uk: "Я полив помідори, і вода ще є.",
    el: "Πότισα τις ντομάτες.",
    he: "השקיתי את העגבניות.",
    ar: "لقد سقيت الطماطم.",
    fa: "گوجه‌ها را آب دادم.",
    hi: "मैंने टमाटरों को पानी दिया।",
    ja: "トマトに水をやりました。",
    ko: "토마토에 물을 줬어요.",
    th: "รดน้ำมะเขือเทศแล้ว",
    zh: "我已经给西红柿浇水了。",
  };
  for (const [language, text] of Object.entries(texts))
    expect([language, languageOf(text)]).toEqual([language, language]);
});

test("a text that shows no language, or two alike, has none", () => {
  for (const text of ["", "42", "OK", "Hamburg – München", "et et y y"])
    expect([text, languageOf(text)]).toEqual([text, undefined]);
});

test("single foreign words do not change the language", () => {
  expect(languageOf("The word for tomato in Russian is помидор, and it is easy.")).toBe("en");
  expect(languageOf("Ich habe das Meeting mit dem Team und die Deadline nicht vergessen, is it on?")).toBe("de");
});
