import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareMeaning } from './compare.ts';

interface Cases {
  /** The first step is what the human approved; the last one must never be applied without them. */
  readonly changing: readonly { readonly name: string; readonly steps: readonly string[] }[];
  readonly harmless: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

/** Share of harmless edits that time alone applies; the others wait for the human, which costs them a look. */
const LEAST_APPLIED = 0.85;

const read = (name: string): Cases => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

const made = read('./meaning-cases.json');
const heldOut = read('./meaning-cases-held-out.json');
/** By somebody who knew what is tolerated, and wanted to slip something through. */
const adversary = read('./meaning-cases-adversary.json');
/** By another, once the rules had been mended after the adversary's. */
const final = read('./meaning-cases-final.json');
/** By a third, who tried names, commands, patterns and emphasis; the rules were mended after these. */
const outside = read('./meaning-cases-outside.json');
/**
 * By a fourth, who tried lists, lines, words that may have meant two, and more languages; the rules were mended after half of them.
 */
const lists = read('./meaning-cases-lists.json');
/**
 * By a fifth, who tried full stops, bullets that are signs, white space in commands, and lines; the rules were mended after these.
 */
const layout = read('./meaning-cases-layout.json');
/** By a sixth, who had read only what is promised, in twenty-five languages. */
const broad = read('./meaning-cases-broad.json');
/** A third of these, which was put aside and judged once, when the rules had been mended. */
const broadAside = read('./meaning-cases-broad-aside.json');
/** By the same, who had then read the rules; they were mended after these. */
const reader = read('./meaning-cases-reader.json');
/**
 * By a seventh, who wrote before reading the rules; half of what they wrote, the other was judged once, when the rules had been
 * mended.
 */
const everyday = read('./meaning-cases-everyday.json');
/** That other half. */
const everydayAside = read('./meaning-cases-everyday-aside.json');
/** By the same, who then tried contractions, commas, numerals, marks and spelling as who has read the rules. */
const forms = read('./meaning-cases-forms.json');
/**
 * By an eighth, in nine languages, who wrote before reading the rules; half of what they wrote, by which the rules were extended.
 */
const tongues = read('./meaning-cases-tongues.json');
/** That other half, which was judged once. */
const tonguesAside = read('./meaning-cases-tongues-aside.json');
/** By the same, beside each of the rules that came of it. */
const writing = read('./meaning-cases-writing.json');
/**
 * By a ninth, who wrote before reading the rules what people and agents mend most; half of it, by which the rules were extended.
 */
const frequent = read('./meaning-cases-frequent.json');
/** That other half, which was judged once before the rules were extended again. */
const frequentAside = read('./meaning-cases-frequent-aside.json');
/** By the same, beside each of the rules that came of it. */
const beside = read('./meaning-cases-beside.json');

describe.each([
  ['cases the rules were made with', made],
  ['cases held out while they were made', heldOut],
  ['cases of an adversary', adversary],
  ['cases of another one', final],
  ['cases from outside', outside],
  ['cases of lists, lines, spelling and more languages', lists],
  ['cases of layout and of commands', layout],
  ['cases of all kinds in many languages', broad],
  ['cases of all kinds that were put aside', broadAside],
  ['cases by who had read the rules', reader],
  ['cases of everyday edits', everyday],
  ['cases of everyday edits that were put aside', everydayAside],
  ['cases of two forms of one wording', forms],
  ['cases in nine languages', tongues],
  ['cases in nine languages that were put aside', tonguesAside],
  ['cases beside the rules of other languages', writing],
  ['cases of the most frequent edits', frequent],
  ['cases of the most frequent edits that were put aside', frequentAside],
  ['cases beside the rules of the most frequent edits', beside],
])('%s', (_, { changing }) => {
  it.each(changing.map(({ name, steps }) => [name, steps] as const))('needs the human: %s', (_, steps) => {
    const [first = '', ...others] = steps;
    const { concerns, drift } = compareMeaning(first, others.at(-1) ?? '');
    expect(concerns).not.toEqual([]);
    expect(drift).toBeGreaterThan(0);
  });
});

it('applies most harmless edits', () => {
  const harmless = [made, heldOut, adversary, final, lists].flatMap((cases) => cases.harmless);
  const waiting = harmless
    .filter(({ before, after }) => compareMeaning(before, after).concerns.length > 0)
    .map(({ name }) => name);
  const share = 1 - waiting.length / harmless.length;
  expect(share, `waiting: ${waiting.join('; ')}`).toBeGreaterThanOrEqual(LEAST_APPLIED);
});

// One of each rule, both ways where it holds both ways.
it.each([
  ["I don't share secrets.", 'I do not share secrets.'],
  ["I'm Ada, and we'll ask.", 'I am Ada, and we will ask.'],
  ["It's my job, and it's not a game.", 'It is my job, and it is not a game.'],
  ["I'd rather be slow than wrong.", 'I would rather be slow than wrong.'],
  ['I won’t lie.', 'I will not lie.'],
  ['I honour every behaviour of my neighbours.', 'I honor every behavior of my neighbors.'],
  ['I tell us both in English which colour it is.', 'I tell us both in English which color it is.'],
  ['Organise the travelling notes.', 'Organize the traveling notes.'],
  ['I keep three copies.', 'I keep 3 copies.'],
  ['I am proud of the team!', 'I am proud of the team.'],
  ['I am proud of the team!', 'I am proud of the team'],
  ['I like tea, jazz, rain and dogs.', 'I like tea, jazz, rain, and dogs.'],
  ['I am calm, curious and kind.', "I'm calm, curious, and kind."],
  ['Usually I wait.', 'Usually, I wait.'],
  ['I use short forms, e.g. lists.', 'I use short forms, e.g., lists.'],
  ['I serve Mr. Okafor.', 'I serve Mr Okafor.'],
  ['I am __Ada__, and __always__ calm.', 'I am **Ada**, and **always** calm.'],
  ['I am Fig.\n\n---\n\nI tend the log.', 'I am Fig.\n\n***\n\nI tend the log.'],
  ['## Who I am ##\nI am Fig.', '## Who I am\nI am Fig.'],
  ['Ich weiß, daß sie ruht.', 'Ich weiß, dass sie ruht.'],
  ['Ich weiß, dass sie ruht.', 'Ich weiß dass sie ruht.'],
  ['Die Strasse ist lang und leer.', 'Die Straße ist lang und leer.'],
  ['Он живет в Казани и дает её.', 'Он живёт в Казани и даёт ее.'],
  ['Ma soeur a un grand coeur.', 'Ma sœur a un grand cœur.'],
  ['I pay fifty euros.', 'I pay 50 euros.'],
  ['Gasto como máximo cincuenta euros.', 'Gasto como máximo 50 euros.'],
  ['Я трачу больше пятидесяти евро в день.', 'Я трачу больше 50 евро в день.'],
  ['I take 20mg of it.', 'I take 20 mg of it.'],
  ['I take 20 milligrams of it.', 'I take 20 mg of it.'],
  ['Load stays below 80%.', 'Load stays below 80 percent.'],
  ['I pay more than €50.', 'I pay more than 50 euros.'],
  ['Call at 5 pm.', 'Call at 5 p.m.'],
  ['I make lists, e.g. of books.', 'I make lists, for example of books.'],
  ['Ich helfe gern, z.B. bei Briefen.', 'Ich helfe gern, zum Beispiel bei Briefen.'],
  ['I need approx. two minutes.', 'I need approximately two minutes.'],
  ['Cómo ayudo? Con calma.', '¿Cómo ayudo? Con calma.'],
  ['Я знаю что она спит.', 'Я знаю, что она спит.'],
  ['My values: care, calm, fun.', 'My values:\n- care\n- calm\n- fun'],
  ['I care.\nMy values:\n- care\n- calm\n- fun', 'I care.\nMy values: care, calm, fun.'],
  ['Docs: <https://docs.example/a>.', 'Docs: https://docs.example/a.'],
  ['I never share her address.I ask first.', 'I never share her address. I ask first.'],
  ['我从不说谎,我会先询问.', '我从不说谎，我会先询问。'],
  ['每天服用２０毫克。', '每天服用20 毫克。'],
  ['我用English回答。', '我用 English 回答。'],
  ['ﾐﾗのｱｼｽﾀﾝﾄです。', 'ミラのアシスタントです。'],
  ['أنا مساعـــدة ميرا, وأسأل أبدًا.', 'أنا مساعدة ميرا، وأسأل أبدا.'],
  ['The user prefers tea', 'The user prefers tea.'],
  ["The user can't eat nuts.", 'The user cannot eat nuts.'],
  ['The user speaks english well.', 'The user speaks English well.'],
  ['Der Benutzer wohnt in Bonn', 'Der Benutzer wohnt in Bonn.'],
  ['El usuario vive en Madrid', 'El usuario vive en Madrid.'],
  ['I share no passwords with strangers', 'I share no passwords with strangers.'],
  ['The server stands in Bonn', 'The server stands in Bonn.'],
  ['Es ist am Segunda-feira', 'Es ist am Segunda-feira.'],
  ['Call at 9am.', 'Call at 9 am.'],
  ['It runs every 5 mins.', 'It runs every 5 minutes.'],
  ['The price is $5.', 'The price is 5 dollars.'],
  ['The budget is 10000 euros.', 'The budget is 10,000 euros.'],
  ['The release is in Dec. 2026.', 'The release is in December 2026.'],
  ['Retries are limited to three.', 'Retries are limited to 3.'],
  ['Er hat zwei Kinder.', 'Er hat 2 Kinder.'],
  ['Lei ha due figli.', 'Lei ha 2 figli.'],
  ['El cliente tiene dos hijos.', 'El cliente tiene 2 hijos.'],
  ['Ik heb drie katten.', 'Ik heb 3 katten.'],
  ['He is the owner.', "He's the owner."],
  ['Secrets will not be logged.', "Secrets won't be logged."],
  ['In 2024 she moved.', 'In 2024, she moved.'],
  ['The user likes jazz, blues and soul.', 'The user likes jazz, blues, and soul.'],
  ["The project is called 'Atlas'.", 'The project is called "Atlas".'],
  ['I work part time.', 'I work part-time.'],
  ['I encrypt it end to end.', 'I encrypt it end-to-end.'],
  ['Office hours are 9-17.', 'Office hours are 9–17.'],
  ['Always test it first.', '- Always test it first.'],
  ['The café is open.', 'The cafe is open.'],
  ['Amo i frutti, ad es. le mele.', 'Amo i frutti, ad esempio le mele.'],
  ['Hij lust fruit, bv. appels.', 'Hij lust fruit, bijvoorbeeld appels.'],
  ['备份保留三十天。', '备份保留30天。'],
  ['限制是 5 GB。', '限制是5GB。'],
  ['ユーザは猫が好きです。', 'ユーザーは猫が好きです。'],
  ['金曜日は休む．', '金曜日は休む。'],
  ['자녀가 두 명 있다.', '자녀가 2명 있다.'],
])('says the same: %j and %j', (one, other) => {
  expect(compareMeaning(one, other).concerns).toEqual([]);
  expect(compareMeaning(other, one).concerns).toEqual([]);
});

// What is mended, and not made anew.
it.each([
  ['Ich heisse Lena und gruesse freundlich.', 'Ich heiße Lena und grüße freundlich.'],
  ['No comparto la direccion con los demás.', 'No comparto la dirección con los demás.'],
  ['Elle prefere les reponses courtes.', 'Elle préfère les réponses courtes.'],
  ['I never share the the address.', 'I never share the address.'],
  ['Respondo en Español con calma.', 'Respondo en español con calma.'],
  ['I ask frist.', 'I ask first.'],
  ['She is alergic to nuts.', 'She is allergic to nuts.'],
  ['The repositry is public', 'The repository is public.'],
  ['It is hosted on github', 'It is hosted on GitHub.'],
  ['She has a appointment here.', 'She has an appointment here.'],
  ['The house is is old.', 'The house is old.'],
  ['Perche ha tempo.', 'Perché ha tempo.'],
  ['La reunion es el lunes.', 'La reunión es el lunes.'],
  ['A decisao e o prazo não mudam.', 'A decisão e o prazo não mudam.'],
])('is mended: %j to %j', (before, after) => {
  expect(compareMeaning(before, after).concerns).toEqual([]);
});

describe('any text', () => {
  const word = fc.constantFrom(
    ...`trust share keep never always secrets deploy review human agent friday before after only
    garden lantern budget approve refuse delete read write every most quietly Maya Tom Berlin release team mail`.split(
      /\s+/,
    ),
  );
  const sentence = fc.array(word, { minLength: 3, maxLength: 12 }).map((words) => `${words.join(' ')}.`);
  const text = fc.array(sentence, { minLength: 1, maxLength: 6 });
  const concernsOf = (before: string, after: string) => compareMeaning(before, after).concerns;

  it('needs the human when a word becomes another, goes, comes, or two change places', () => {
    fc.assert(
      fc.property(text, word, fc.nat(), fc.nat(), fc.nat(3), (sentences, other, at, to, kind) => {
        const words = sentences.join(' ').split(' ');
        const [one, two] = [at % words.length, to % words.length];
        const changed = [...words];
        if (kind === 0) changed[one] = other;
        else if (kind === 1) changed.splice(one, 1);
        else if (kind === 2) changed.splice(one, 0, other);
        else [changed[one], changed[two]] = [changed[two] ?? '', changed[one] ?? ''];
        const said = (list: readonly string[]) => list.join(' ').toLowerCase().replace(/\.$/, '');
        fc.pre(said(words) !== said(changed));
        expect(concernsOf(words.join(' '), changed.join(' '))).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('needs the human when a word of two forms becomes another than its other form', () => {
    const forms: readonly (readonly [short: string, long: string])[] = [
      ["don't", 'do not'],
      ["can't", 'cannot'],
      ["won't", 'will not'],
      ["we're", 'we are'],
      ["we'll", 'we will'],
      ["I'm", 'I am'],
      ["I've", 'I have'],
      ['organise', 'organize'],
      ['favour', 'favor'],
      ['four', '4'],
    ];
    const others =
      "do can will want were well is its it's he's he'd hed had would let's lets not now cannot can won't four 5 two color flavor us US may May";
    const piece = fc.constantFrom(...forms.flat(), ...others.split(' '), 'people', 'share', 'keys');
    const long = (text: string) =>
      forms.reduce(
        (said, [from, to]) => said.replaceAll(new RegExp(`(?<![\\w'])${from}(?![\\w'])`, 'g'), to),
        text,
      );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 3, maxLength: 9 }), piece, fc.nat(), (pieces, other, at) => {
        const changed = pieces.with(at % pieces.length, other);
        const [before, after] = [`People ${pieces.join(' ')} here.`, `People ${changed.join(' ')} here.`];
        fc.pre(long(before) !== long(after));
        expect(compareMeaning(before, after).concerns).not.toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('needs the human where a character that cannot be seen comes in, wherever', () => {
    const unseen = fc.constantFrom(
      '\u200b',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u202e',
      '\u{e0041}',
      '\u0000',
      '\u2028',
    );
    fc.assert(
      fc.property(text, unseen, fc.nat(), (sentences, character, at) => {
        const before = sentences.join(' ');
        const place = at % (before.length + 1);
        const after = before.slice(0, place) + character + before.slice(place);
        expect(concernsOf(before, after)).not.toEqual([]);
      }),
    );
  });

  it('may be wrapped, spaced and emphasised anew', () => {
    fc.assert(
      fc.property(text, fc.nat(), (sentences, at) => {
        const before = sentences.join(' ');
        const words = before.split(' ');
        words[at % words.length] = `**${words[at % words.length]}**`;
        expect(concernsOf(before, `${words.join('  ')}\n`)).toEqual([]);
        expect(concernsOf(sentences.join('\n\n'), sentences.join('\n\n\n'))).toEqual([]);
      }),
    );
  });
});

// A pattern that begins anew at each character of a run takes minutes for one of these.
it.each(['a', '*', 'aB'])(
  'of what is emphasised are read to their end where a text of 128 kB repeats %j',
  (run) => {
    const text = `What is emphasised counts. ${run.repeat(131_072 / run.length)}`;
    expect(compareMeaning(text, `${text} now`).concerns).not.toEqual([]);
  },
  20_000,
);
