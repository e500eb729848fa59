import { describe, expect, it } from 'vitest';
import { processorMs } from '../../testing/processor-time.ts';
import type { Language } from '../language.ts';
import { readTimeExpression } from './time-expression.ts';

/** A Tuesday. */
const now = new Date('2026-03-10T12:00:00Z');

describe('readTimeExpression', () => {
  it.each([
    ['What happened on 2025-11-03?', '2025-11-03', '2025-11-04'],
    ['on 8 May', '2025-05-08', '2025-05-09'],
    ['on the 8th of May, 2023', '2023-05-08', '2023-05-09'],
    ['on March 3rd', '2026-03-03', '2026-03-04'],
    ['May 2023', '2023-05-01', '2023-06-01'],
    ['in May', '2025-05-01', '2025-06-01'],
    ['in January', '2026-01-01', '2026-02-01'],
    ['during 2024', '2024-01-01', '2025-01-01'],
    ['today', '2026-03-10', '2026-03-11'],
    ['what did I say yesterday', '2026-03-09', '2026-03-10'],
    ['the day before yesterday', '2026-03-08', '2026-03-09'],
    ['last week', '2026-03-02', '2026-03-09'],
    ['this week', '2026-03-09', '2026-03-16'],
    ['next week', '2026-03-16', '2026-03-23'],
    ['last weekend', '2026-03-07', '2026-03-09'],
    ['last month', '2026-02-01', '2026-03-01'],
    ['last year', '2025-01-01', '2026-01-01'],
    ['last Friday', '2026-03-06', '2026-03-07'],
    ['in the last 3 days', '2026-03-07', '2026-03-11'],
    ['two weeks ago', '2026-02-20', '2026-02-28'],
    ['on 21.01.2024.', '2024-01-21', '2024-01-22'],
    ['on 21/01/2024', '2024-01-21', '2024-01-22'],
    ['on 01/21/2024', '2024-01-21', '2024-01-22'],
    ['in Q3 2025', '2025-07-01', '2025-10-01'],
    ['since Tuesday', '2026-03-03', '2026-03-11'],
    ['since May', '2025-05-01', '2026-03-11'],
    ['mid-2023', '2023-05-02', '2023-09-01'],
    ['the beginning of November', '2025-11-01', '2025-11-11'],
    ['in the first week of 2024', '2024-01-01', '2024-01-08'],
    ['the last week of May 2023', '2023-05-25', '2023-06-01'],
    ['between March and May 2024', '2024-03-01', '2024-06-01'],
    ['from November to January', '2025-11-01', '2026-02-01'],
    ['between 3 and 8 May', '2025-05-03', '2025-05-09'],
    ['last summer', '2025-06-01', '2025-09-01'],
    ['in the winter of 2023', '2023-12-01', '2024-03-01'],
    ['over Christmas', '2025-12-20', '2026-01-01'],
    ['between 28 November and 1 December 2024', '2024-11-28', '2024-12-02'],
    ['from November 16, 2024 to November 18, 2024', '2024-11-16', '2024-11-19'],
    ['from 28 December 2024 until the 2nd of January', '2024-12-28', '2025-01-03'],
    ['between 28 February and 3 March', '2026-02-28', '2026-03-04'],
    ['from 5 March to 20 April 2025', '2025-03-05', '2025-04-21'],
    ['2026-02-20 to 2026-02-22', '2026-02-20', '2026-02-23'],
    ['2026-02-20 – 2026-02-22', '2026-02-20', '2026-02-23'],
    ['between 21/01/2024 and 03/02/2024', '2024-01-21', '2024-02-04'],
    ['November 3 to 8, 2024', '2024-11-03', '2024-11-09'],
    ['November 3-8', '2025-11-03', '2025-11-09'],
    ['3rd to 8th November 2024', '2024-11-03', '2024-11-09'],
    ['from May 2024 to February 2025', '2024-05-01', '2025-03-01'],
    ['on 3 May 2024 and 5 May 2024', '2024-05-03', '2024-05-04'],
    ['on 3 May 2024 and to whom', '2024-05-03', '2024-05-04'],
    ['on 8 May 2024 to 3 May 2024', '2024-05-08', '2024-05-09'],
    ['May 3 to 12%', '2025-05-03', '2025-05-04'],
    ['May 3 - 10:30', '2025-05-03', '2025-05-04'],
    ['from 2 to 3 May 2024', '2024-05-02', '2024-05-04'],
  ])('reads "%s" as %s up to %s', (text, from, to) => {
    expect(readTimeExpression(text, now).period).toEqual({ from: new Date(from), to: new Date(to) });
  });

  it.each([
    ['Le cahier, où était-il hier ?', 'fr', 'le cahier, ou etait-il ?'],
    ['How many of the 12 were here on 12 May?', undefined, 'how many of the 12 were here on ?'],
    ['Who came between 28 November and 1 December 2024?', undefined, 'who came ?'],
    ['Woran war 3 Mal Anna am 3. März beteiligt?', 'de', 'woran war 3 mal anna am beteiligt?'],
  ] as const)('takes the words out of "%s" that name its time', (text, language, rest) => {
    expect(readTimeExpression(text, now, language).rest.replace(/ +/g, ' ')).toBe(rest);
  });

  it.each<[Language, string]>([
    ['hu', 'három nap alatt'],
    ['vi', 'ngày nay'],
    ['sv', 'året om'],
    ['cs', 'tři dny'],
  ])('finds no time in %s in "%s"', (language, text) => {
    expect(readTimeExpression(text, now, language).period).toBeUndefined();
  });

  it('leaves in what stands beyond the part that it reads', () => {
    const long = `yesterday ${'so '.repeat(400)}the red bicycle`;
    expect(readTimeExpression(long, now).rest).toContain('red bicycle');
    expect(readTimeExpression(long, now).rest).not.toContain('yesterday');
  });

  it.each([
    'You may march on',
    'May I ask?',
    '31 February',
    'version 2023',
    'a second opinion',
    'many moons ago',
    'host 10.4.17.230',
    'the 1.2.2024.7 release',
    'the trees fall',
    '',
  ])('finds no time in "%s"', (text) => {
    expect(readTimeExpression(text, now).period).toBeUndefined();
  });

  it.each<[Language | undefined, string, string, string]>([
    ['de', 'Was war letzte Woche?', '2026-03-02', '2026-03-09'],
    ['de', 'am 3. Mai 2024', '2024-05-03', '2024-05-04'],
    ['de', 'Wer kam im März?', '2026-03-01', '2026-04-01'],
    ['de', 'vor zwei Wochen', '2026-02-20', '2026-02-28'],
    ['de', 'seit gestern', '2026-03-09', '2026-03-11'],
    ['es', '¿Qué pasó la semana pasada?', '2026-03-02', '2026-03-09'],
    ['es', 'el 3 de mayo de 2024', '2024-05-03', '2024-05-04'],
    ['es', 'el año pasado', '2025-01-01', '2026-01-01'],
    ['fr', 'le mois dernier', '2026-02-01', '2026-03-01'],
    ['fr', 'en août 2025', '2025-08-01', '2025-09-01'],
    ['it', 'tre giorni fa', '2026-03-07', '2026-03-08'],
    ['pt', 'no fim de semana passado', '2026-03-07', '2026-03-09'],
    ['nl', 'eergisteren', '2026-03-08', '2026-03-09'],
    ['ru', 'Что было в январе 2025?', '2025-01-01', '2025-02-01'],
    ['ru', 'на прошлой неделе', '2026-03-02', '2026-03-09'],
    ['pl', 'Co było w zeszłym tygodniu?', '2026-03-02', '2026-03-09'],
    ['pl', 'przedwczoraj', '2026-03-08', '2026-03-09'],
    ['tr', 'Geçen ay kim geldi?', '2026-02-01', '2026-03-01'],
    ['tr', 'üç gün önce', '2026-03-07', '2026-03-08'],
    ['ar', 'من زارنا الشهر الماضي؟', '2026-02-01', '2026-03-01'],
    ['ar', 'أمس', '2026-03-09', '2026-03-10'],
    ['hi', 'पिछले हफ़्ते कौन आया?', '2026-03-02', '2026-03-09'],
    ['sv', 'Vad hände förra veckan?', '2026-03-02', '2026-03-09'],
    ['sv', 'för tre dagar sedan', '2026-03-07', '2026-03-08'],
    ['sv', 'i förrgår', '2026-03-08', '2026-03-09'],
    ['da', 'Hvem kom i sidste måned?', '2026-02-01', '2026-03-01'],
    ['da', 'i går', '2026-03-09', '2026-03-10'],
    ['no', 'for tre dager siden', '2026-03-07', '2026-03-08'],
    ['no', 'forrige helg', '2026-03-07', '2026-03-09'],
    ['fi', 'Kuka kävi viime viikolla?', '2026-03-02', '2026-03-09'],
    ['fi', 'kolme päivää sitten', '2026-03-07', '2026-03-08'],
    ['fi', 'viime kuussa', '2026-02-01', '2026-03-01'],
    ['cs', 'Kdo přišel minulý týden?', '2026-03-02', '2026-03-09'],
    ['cs', 'před třemi dny', '2026-03-07', '2026-03-08'],
    ['cs', 'minulý rok', '2025-01-01', '2026-01-01'],
    ['ro', 'Ce s-a întâmplat săptămâna trecută?', '2026-03-02', '2026-03-09'],
    ['ro', 'acum trei zile', '2026-03-07', '2026-03-08'],
    ['hu', 'Ki járt itt a múlt héten?', '2026-03-02', '2026-03-09'],
    ['hu', 'tegnapelőtt', '2026-03-08', '2026-03-09'],
    ['hu', 'három nappal ezelőtt', '2026-03-07', '2026-03-08'],
    ['hu', 'három napja', '2026-03-07', '2026-03-08'],
    ['el', 'Ποιος ήρθε την περασμένη εβδομάδα;', '2026-03-02', '2026-03-09'],
    ['el', 'πριν από τρεις μέρες', '2026-03-07', '2026-03-08'],
    ['el', 'χθες', '2026-03-09', '2026-03-10'],
    ['uk', 'Хто приходив минулого тижня?', '2026-03-02', '2026-03-09'],
    ['uk', 'три дні тому', '2026-03-07', '2026-03-08'],
    ['id', 'Siapa yang datang minggu lalu?', '2026-03-02', '2026-03-09'],
    ['id', 'tiga hari yang lalu', '2026-03-07', '2026-03-08'],
    ['vi', 'Tuần trước ai đã đến?', '2026-03-02', '2026-03-09'],
    ['vi', 'ba ngày trước', '2026-03-07', '2026-03-08'],
    ['vi', 'năm ngoái', '2025-01-01', '2026-01-01'],
    ['fa', 'هفته گذشته چه کسی آمد؟', '2026-03-02', '2026-03-09'],
    ['fa', 'پارسال', '2025-01-01', '2026-01-01'],
    ['fa', 'سه روز پیش', '2026-03-07', '2026-03-08'],
    ['he', 'מי הגיע בשבוע שעבר?', '2026-03-02', '2026-03-09'],
    ['he', 'לפני שלושה ימים', '2026-03-07', '2026-03-08'],
    [undefined, 'เมื่อวานนี้ใครมา', '2026-03-09', '2026-03-10'],
    [undefined, 'สัปดาห์ที่แล้วใครมา', '2026-03-02', '2026-03-09'],
    [undefined, 'สามวันก่อน', '2026-03-07', '2026-03-08'],
    [undefined, '지난달에 누가 왔어?', '2026-02-01', '2026-03-01'],
    [undefined, '3일 전에', '2026-03-07', '2026-03-08'],
    [undefined, '上個禮拜誰來過？', '2026-03-02', '2026-03-09'],
    [undefined, '上周发生了什么？', '2026-03-02', '2026-03-09'],
    [undefined, '去年我们去了哪里？', '2025-01-01', '2026-01-01'],
    [undefined, '两个月前', '2025-12-26', '2026-01-25'],
    [undefined, '我三天前去了哪里？', '2026-03-07', '2026-03-08'],
    [undefined, '彼は三日前に来た', '2026-03-07', '2026-03-08'],
    [undefined, '2024年5月3日', '2024-05-03', '2024-05-04'],
    [undefined, '2024년 5월 3일에', '2024-05-03', '2024-05-04'],
    [undefined, '5월 3일', '2025-05-03', '2025-05-04'],
    ['de', 'Was hat er letzten Freitag gesagt?', '2026-03-06', '2026-03-07'],
    ['es', '¿Qué dijo el viernes pasado?', '2026-03-06', '2026-03-07'],
    ['fr', 'Qui est venu samedi dernier ?', '2026-03-07', '2026-03-08'],
    ['pt', 'na sexta-feira passada', '2026-03-06', '2026-03-07'],
    ['ru', 'Кто звонил в прошлую пятницу?', '2026-03-06', '2026-03-07'],
    ['ru', 'в прошлый вторник', '2026-03-03', '2026-03-04'],
    ['tr', 'geçen cuma kim geldi?', '2026-03-06', '2026-03-07'],
    ['fi', 'viime perjantaina', '2026-03-06', '2026-03-07'],
    ['ar', 'من جاء يوم الجمعة الماضية؟', '2026-03-06', '2026-03-07'],
    ['hi', 'पिछले शुक्रवार कौन आया?', '2026-03-06', '2026-03-07'],
    [undefined, '先週の金曜に誰が来た？', '2026-03-06', '2026-03-07'],
    [undefined, '上周六我去了哪里？', '2026-03-07', '2026-03-08'],
    [undefined, '上個禮拜三誰來過？', '2026-03-04', '2026-03-05'],
    [undefined, '지난주 수요일에 누가 왔어?', '2026-03-04', '2026-03-05'],
    [undefined, '지난 금요일', '2026-03-06', '2026-03-07'],
    [undefined, '五月我去了哪里？', '2025-05-01', '2025-06-01'],
    [undefined, '十二月二十三号', '2025-12-23', '2025-12-24'],
    [undefined, '2月に誰が来た？', '2026-02-01', '2026-03-01'],
    [undefined, '2월에 누가 왔어?', '2026-02-01', '2026-03-01'],
    ['de', 'zwischen dem 28. November und dem 1. Dezember 2024', '2024-11-28', '2024-12-02'],
    ['de', 'vom 3. bis 8. November 2024', '2024-11-03', '2024-11-09'],
    ['de', 'vom 3.11.2024 bis zum 8.11.2024', '2024-11-03', '2024-11-09'],
    ['de', 'von März bis Mai 2024', '2024-03-01', '2024-06-01'],
    ['fr', 'du 28 novembre au 1 décembre 2024', '2024-11-28', '2024-12-02'],
    ['fr', 'entre le 3 et le 8 mai 2024', '2024-05-03', '2024-05-09'],
    ['es', 'del 28 de noviembre al 1 de diciembre de 2024', '2024-11-28', '2024-12-02'],
    ['es', 'entre el 3 y el 8 de mayo de 2024', '2024-05-03', '2024-05-09'],
    ['pt', 'de 3 a 8 de maio de 2024', '2024-05-03', '2024-05-09'],
    ['it', 'dal 3 maggio al 2 giugno 2024', '2024-05-03', '2024-06-03'],
    ['nl', 'van 3 tot en met 8 mei 2024', '2024-05-03', '2024-05-09'],
    ['sv', 'mellan 3 maj och 8 juni 2024', '2024-05-03', '2024-06-09'],
    ['pl', 'od 3 maja do 8 czerwca 2024', '2024-05-03', '2024-06-09'],
    ['ru', 'с 3 мая по 8 июня 2024', '2024-05-03', '2024-06-09'],
    [undefined, '2024年5月3日到5月8日', '2024-05-03', '2024-05-09'],
    [undefined, '2024年5月3日から5月8日まで', '2024-05-03', '2024-05-09'],
    [undefined, '2024年5月3日から8日まで', '2024-05-03', '2024-05-09'],
    [undefined, '2024年5月3日～8日', '2024-05-03', '2024-05-09'],
    [undefined, '2024年5月3日至8日', '2024-05-03', '2024-05-09'],
    [undefined, '2024年5月3号到8号', '2024-05-03', '2024-05-09'],
    [undefined, '2024년 5월 3일부터 8일까지', '2024-05-03', '2024-05-09'],
    ['it', "dal 3 all'8 maggio 2024", '2024-05-03', '2024-05-09'],
    ['it', "dall'8 all'11 maggio 2024", '2024-05-08', '2024-05-12'],
    // A time of the day, and a number of something, end no range.
    [undefined, '2024年5月3日から8時間', '2024-05-03', '2024-05-04'],
    [undefined, '2024年5月3日到8点', '2024-05-03', '2024-05-04'],
    [undefined, '2024년 5월 3일부터 8명', '2024-05-03', '2024-05-04'],
    [undefined, '2024년 5월 3일부터 5월 8일까지', '2024-05-03', '2024-05-09'],
    [undefined, '先月のことは？', '2026-02-01', '2026-03-01'],
    [undefined, '昨日', '2026-03-09', '2026-03-10'],
  ])('reads, in %s, "%s" as %s up to %s', (language, text, from, to) => {
    expect(readTimeExpression(text, now, language).period).toEqual({
      from: new Date(from),
      to: new Date(to),
    });
  });

  it.each(['the latest decision', 'What is she currently reading?', 'most recent deploy'])(
    'hears that "%s" asks for the newest',
    (text) => {
      expect(readTimeExpression(text, now).newest).toBe(true);
    },
  );

  it('reads a hostile megabyte in no time', () => {
    const started = processorMs();
    for (const text of ['may '.repeat(250_000), ' '.repeat(1_000_000), '1'.repeat(1_000_000)]) {
      readTimeExpression(text, now);
    }
    for (let n = 0; n < 60; n += 1) readTimeExpression(`${n}${'房租一个月多少钱'.repeat(120)}`, now);
    expect(processorMs() - started).toBeLessThan(2_000);
  });
});
