import { expect, test } from "bun:test";
import { loadLanguageDetector } from "./text-language.ts";

const languageOf = await loadLanguageDetector();

test("the language of a short text is recognized", () => {
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
  for (const text of ["", "42", "OK", "et et y y"]) expect([text, languageOf(text)]).toEqual([text, undefined]);
});

test("single foreign words do not change the language", () => {
  expect(languageOf("The word for tomato in Russian is помидор, and it is easy.")).toBe("en");
  expect(languageOf("Ich habe das Meeting mit dem Team und die Deadline nicht vergessen, is it on?")).toBe("de");
});

/** Replies of agents. None of them was used to choose the settings of the detector. */
const REPLIES: Readonly<Record<string, readonly string[]>> = {
  da: [
    "Mødet er flyttet til torsdag klokken ti.",
    "Jeg fandt tre filer, og den nyeste ligger nu i mappen med rapporter.",
    "Toget kører fra spor fire om tyve minutter, så du kan nå det.",
    "Husk at købe mælk, brød og æg på vej hjem.",
    "Serveren svarer igen. Fejlen var en fuld disk, som jeg har ryddet op på.",
    "Vejret bliver koldt i morgen, men det regner først om aftenen.",
  ],
  de: [
    "Das Treffen wurde auf Donnerstag um zehn Uhr verschoben.",
    "Drei Dateien gefunden, die neueste liegt jetzt im Ordner mit den Berichten.",
    "Der Zug fährt in zwanzig Minuten von Gleis vier ab.",
    "Denk bitte an Milch, Brot und Eier.",
    "Der Server antwortet wieder. Die Festplatte war voll, deshalb schlugen alle Sicherungen fehl.",
    "Morgen wird es kalt, regnen soll es erst am Abend.",
  ],
  en: [
    "The meeting moved to Thursday at ten.",
    "Found three files; the newest one sits in the reports folder now.",
    "Your train leaves from platform four in twenty minutes.",
    "Remember milk, bread and eggs on your way home.",
    "Server responding again. A full disk caused every backup to fail since Monday.",
    "Tomorrow gets cold, but rain only starts in the evening.",
  ],
  es: [
    "La reunión se movió al jueves a las diez.",
    "Encontré tres archivos; el más reciente está ahora en la carpeta de informes.",
    "Tu tren sale del andén cuatro dentro de veinte minutos.",
    "Recuerda comprar leche, pan y huevos de camino a casa.",
    "El servidor responde otra vez. El disco estaba lleno y fallaron todas las copias.",
    "Mañana hará frío, pero solo lloverá por la noche.",
  ],
  fr: [
    "La réunion est reportée à jeudi, dix heures.",
    "Trois fichiers trouvés ; le plus récent se trouve maintenant dans le dossier des rapports.",
    "Votre train part du quai quatre dans vingt minutes.",
    "Pensez à acheter du lait, du pain et des œufs en rentrant.",
    "Le serveur répond de nouveau. Un disque plein faisait échouer toutes les sauvegardes depuis lundi.",
    "Demain il fera froid, mais la pluie ne viendra que le soir.",
  ],
  it: [
    "La riunione è stata spostata a giovedì alle dieci.",
    "Trovati tre file; il più recente si trova ora nella cartella dei rapporti.",
    "Il tuo treno parte dal binario quattro tra venti minuti.",
    "Ricorda di comprare latte, pane e uova tornando a casa.",
    "Il server risponde di nuovo. Il disco era pieno e tutti i backup fallivano da lunedì.",
    "Domani farà freddo, ma pioverà soltanto in serata.",
  ],
  nl: [
    "De vergadering is verplaatst naar donderdag tien uur.",
    "Drie bestanden gevonden; het nieuwste staat nu in de map met rapporten.",
    "Je trein vertrekt over twintig minuten van spoor vier.",
    "Vergeet niet melk, brood en eieren te kopen onderweg.",
    "De server reageert weer. Een volle schijf liet sinds maandag alle back-ups mislukken.",
    "Morgen wordt het koud, maar regen komt pas in de avond.",
  ],
  pl: [
    "Spotkanie przeniesiono na czwartek na godzinę dziesiątą.",
    "Znalazłem trzy pliki; najnowszy leży teraz w folderze z raportami.",
    "Twój pociąg odjeżdża z peronu czwartego za dwadzieścia minut.",
    "Pamiętaj o mleku, chlebie i jajkach w drodze do domu.",
    "Serwer znowu odpowiada. Pełny dysk powodował błędy wszystkich kopii od poniedziałku.",
    "Jutro będzie zimno, a deszcz spadnie dopiero wieczorem.",
  ],
  pt: [
    "A reunião passou para quinta-feira às dez.",
    "Encontrei três arquivos; o mais recente está agora na pasta de relatórios.",
    "Seu trem parte da plataforma quatro em vinte minutos.",
    "Lembre de comprar leite, pão e ovos no caminho de casa.",
    "O servidor voltou a responder. O disco estava cheio e todas as cópias falhavam desde segunda.",
    "Amanhã vai fazer frio, mas só chove à noite.",
  ],
  sv: [
    "Mötet har flyttats till torsdag klockan tio.",
    "Hittade tre filer; den nyaste ligger nu i mappen med rapporter.",
    "Ditt tåg går från spår fyra om tjugo minuter.",
    "Kom ihåg mjölk, bröd och ägg på vägen hem.",
    "Servern svarar igen. En full disk fick alla säkerhetskopior att misslyckas sedan måndag.",
    "I morgon blir det kallt, men regnet kommer först på kvällen.",
  ],
  tr: [
    "Toplantı perşembe günü saat ona alındı.",
    "Üç dosya buldum; en yenisi şimdi raporlar klasöründe.",
    "Treniniz yirmi dakika sonra dördüncü perondan kalkıyor.",
    "Eve dönerken süt, ekmek ve yumurta almayı unutma.",
    "Sunucu yeniden yanıt veriyor. Disk dolduğu için pazartesiden beri bütün yedeklemeler başarısız oldu.",
    "Yarın hava soğuk olacak, yağmur ise ancak akşam başlayacak.",
  ],
  ru: ["Встреча перенесена на четверг, на десять часов.", "Сервер снова отвечает, диск был переполнен."],
  uk: ["Зустріч перенесено на четвер, на десяту годину.", "Сервер знову відповідає, диск був переповнений."],
  el: ["Η συνάντηση μεταφέρθηκε για την Πέμπτη στις δέκα.", "Αύριο θα κάνει κρύο, αλλά θα βρέξει το βράδυ."],
  he: ["הפגישה הועברה ליום חמישי בשעה עשר.", "מחר יהיה קר, אבל גשם ירד רק בערב."],
  ar: ["تم نقل الاجتماع إلى يوم الخميس الساعة العاشرة.", "سيكون الجو باردا غدا ولن تمطر إلا في المساء."],
  fa: ["جلسه به پنجشنبه ساعت ده منتقل شد و گزارش آماده است.", "فردا هوا سرد می‌شود، اما باران فقط عصر می‌بارد."],
  hi: ["बैठक गुरुवार को दस बजे होगी।", "कल ठंड होगी, लेकिन बारिश शाम को ही होगी।"],
  ja: ["会議は木曜日の十時に変更されました。", "明日は寒くなりますが、雨は夜だけです。"],
  ko: ["회의가 목요일 열 시로 옮겨졌습니다.", "내일은 춥지만 비는 저녁에만 옵니다."],
  th: ["การประชุมเลื่อนไปเป็นวันพฤหัสบดีเวลาสิบโมง", "พรุ่งนี้อากาศจะหนาว แต่ฝนจะตกตอนเย็น"],
  zh: ["会议改到星期四上午十点。", "明天会冷，但是晚上才下雨。"],
};

test("replies of a few words are recognized, and none as another language", () => {
  const all = Object.entries(REPLIES).flatMap(([language, texts]) => texts.map((text) => [language, languageOf(text)]));
  const missed = all.filter(([language, found]) => found !== language);
  expect(missed).toEqual([]);
  expect(all.length).toBeGreaterThan(80);
});
