import { describe, expect, it } from 'vitest';
import { processorMs } from '../testing/processor-time.ts';
import { analyzeDocument } from './analyze-document.ts';
import { analyzeQuery } from './analyze-query.ts';
import { correctionsOf } from './spelling.ts';

const now = new Date('2026-03-10T12:00:00Z');
const documentTerms = (text: string) => [...analyzeDocument(text).terms.keys()];
const queryTerms = (text: string) => analyzeQuery(text, now).terms.map(({ term }) => term);
const shared = (query: string, text: string) =>
  queryTerms(query).filter((term) => documentTerms(text).includes(term));

describe('analyzeDocument', () => {
  it('counts terms and words', () => {
    const { terms, length } = analyzeDocument('Coffee, coffee and tea');
    expect(terms).toEqual(
      new Map([
        ['coffe', 2],
        ['tea', 1],
      ]),
    );
    expect(length).toBe(4);
  });

  it('keeps an English sentence of 40 words within 35 terms', () => {
    const sentence =
      'Yesterday afternoon we walked along the river with our neighbours and their two dogs, then stopped at the ' +
      'little bakery near the bridge where my daughter bought a huge cinnamon roll and spilled hot chocolate all ' +
      'over her new yellow raincoat';
    expect(documentTerms(sentence).length).toBeLessThanOrEqual(35);
  });

  it.each([
    ['ERR_CONN_42', ['errconn42', 'err', 'conn', '42']],
    ['foo.bar', ['foo.bar', 'foo', 'bar']],
    ['mail to Ada@Example.org', ['ada@example.org', 'ada']],
    ['see https://wiki.acme.com/adr-12', ['wiki.acme.com/adr-12', 'wiki', 'acm', '12']],
    ['getUserProfile()', ['getuserprofile', 'get', 'user', 'profil']],
    ['version v1.2.3', ['v1.2.3']],
    ['1,000 euros', ['1000']],
    ['gate QX7R2P', ['qx7r2p']],
    ['model RX-90', ['rx90', 'rx', '90']],
    ['E-Mail', ['email', 'mail']],
  ])('keeps "%s" whole as well as in parts', (text, expected) => {
    expect(documentTerms(text)).toEqual(expect.arrayContaining(expected));
  });

  it.each([
    ['E4017', ['e4017', '4017']],
    ['iPhone', ['iphone', 'phone']],
    ['QX7R2P', ['qx7r2p', 'qx']],
    ['a1b2c3d', ['a1b2c3d']],
    ['phase2', ['phase2', 'phase', '2']],
  ])('has no character of a code alone among the parts of "%s"', (text, expected) => {
    expect(documentTerms(text)).toEqual(expected);
  });

  it('keeps function words when there are no others', () => {
    expect(documentTerms('to be or not to be')).not.toEqual([]);
    expect(shared('to be or not to be', 'To be, or not to be.')).not.toEqual([]);
  });

  it('finds no terms in text without letters and digits', () => {
    for (const text of ['', ' \n', '🎉👩‍👩‍👧‍👦', '\ud800', '\u0000\u0007', '?!…', '___']) {
      expect(analyzeDocument(text), JSON.stringify(text)).toEqual({ terms: new Map(), length: 0 });
    }
  });

  const hostile: readonly (readonly [string, string])[] = [
    ['a word of 30,000 letters', 'a'.repeat(30_000)],
    ['a megabyte without a space', 'aB1_'.repeat(250_000)],
    ['a megabyte of dotted parts', 'a.b.'.repeat(250_000)],
    ['a megabyte of words', Array.from({ length: 150_000 }, (_, i) => `w${i.toString(36)}`).join(' ')],
    [
      'a megabyte of Han',
      Array.from({ length: 300_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join(''),
    ],
    ['marks without end', `e${'\u0301'.repeat(1_000_000)}`],
    ['marks of two kinds without end', `e${'\u0301\u0323'.repeat(250_000)}`],
    ['joiners without end', `ب${'\u200c\u064e'.repeat(250_000)}`],
    ['hyphens at the ends of lines', 'a-\n'.repeat(250_000)],
    ['lone surrogates', 'x\ud800'.repeat(300_000)],
    ['apostrophes', "a's".repeat(300_000)],
    ['letters that unfold', 'ﷺ'.repeat(50_000)],
  ];
  it.each(hostile)('survives %s in linear time', (_, text) => {
    const started = processorMs();
    const { terms } = analyzeDocument(text);
    expect(processorMs() - started).toBeLessThan(8000);
    expect(terms.size).toBeLessThanOrEqual(6000);
    for (const term of terms.keys()) {
      expect(term.length).toBeLessThanOrEqual(64);
      expect(term).toBe(Buffer.from(term, 'utf8').toString('utf8'));
    }
  });
});

describe('analyzeQuery', () => {
  it.each([
    ['Which books did she buy?', 'She bought a book.'],
    ['cafe', 'Das Café ist zu.'],
    ['MUNCHEN', 'in München'],
    ['ｆｕｌｌ width', 'a full bottle'],
    ['kubernets', 'Kubernetes runs on three nodes'],
    ['Datenbank', 'Die Datenbankverbindung wird geschlossen'],
    ['встречи', 'встреча с инвестором'],
    ['東京', '来週は東京で会議'],
    ['狗', '我有一只狗'],
    ['วันเกิด', 'วันเกิดของแม่'],
    ['서울', '서울에서 만나요'],
    ['1000', 'costs 1,000 euros'],
    ['user profile', 'getUserProfile() caches'],
    ['Where does she live?', 'Her home is in Porto'],
  ])('meets with "%s" the memory "%s"', (query, text) => {
    expect(shared(query, text)).not.toEqual([]);
  });

  it('looks up neither stop words nor words of asking, unless there are no others', () => {
    expect(queryTerms('What is the name of the server?').sort()).toEqual(
      expect.arrayContaining(['name', 'server']),
    );
    expect(queryTerms('What is the name of the server?')).not.toContain('what');
    expect(queryTerms('who are you')).not.toEqual([]);
  });

  it.each([
    ['¿Dónde trabaja Lucía actualmente?', 'trabaj'],
    ['In quale città vive Luca?', 'citt'],
    ['Welche Tickets sind noch offen?', 'off'],
  ])('looks up what is asked for, though a list has it among stop words: %s', (question, term) => {
    expect(queryTerms(question).some((one) => one.startsWith(term))).toBe(true);
  });

  it('puts the most informative term first', () => {
    expect(queryTerms('the new violin')[0]).toBe('violin');
  });

  it.each([
    ['question', '?', 64],
    ['conversation', '', 256],
  ])('has a bounded number of distinct terms in a %s', (_, end, most) => {
    const terms = queryTerms(Array.from({ length: 5000 }, (_, i) => `zx${i}kwv${i * 7}`).join(' ') + end);
    expect(terms).toHaveLength(most);
    expect(new Set(terms).size).toBe(most);
  });

  it.each([
    'Wo wohnt der Chef, dessen Auto kaputt ist, dessen Arbeit, Arzt, Termin, Versicherung, Lieferant, Rechnung, Hobby, Passwort Quendolin kennt?',
    '¿Dónde vive el jefe cuyo coche, trabajo, médico, cita, seguro, proveedor, factura, contraseña, comida conoce Quendolina?',
    'Where does the boss live whose car, job, doctor, appointment, insurance, supplier, invoice, password, diet Quendolin knows?',
  ])('keeps a name at the end before the synonyms of all before it: %s', (question) => {
    expect(shared(question, 'Quendolin')).toEqual(['quendolin']);
  });

  it('takes the question of a long message for its focus, and a short query whole', () => {
    expect(analyzeQuery('Tell me about Orion. It is late.', now).focus).toBe(
      'Tell me about Orion. It is late.',
    );
    const chat = 'I had a long day with many meetings and little sleep. '.repeat(4);
    expect(analyzeQuery(`${chat}When does the release train leave? Thanks.`, now).focus).toBe(
      'When does the release train leave?',
    );
    expect(analyzeQuery(chat, now).focus).toBe(chat);
  });

  it('reads the time it speaks of relative to now', () => {
    const { period, newest } = analyzeQuery('What did we do yesterday?', now);
    expect(period).toEqual({ from: new Date('2026-03-09'), to: new Date('2026-03-10') });
    expect(analyzeQuery('Was haben wir gestern besprochen?', now).period).toEqual(period);
    expect(newest).toBe(false);
    expect(analyzeQuery('the latest decision', now).newest).toBe(true);
  });

  it('gives the same answer for the same query', () => {
    expect(analyzeQuery('When did Priya choose PostgreSQL?', now)).toEqual(
      analyzeQuery('When did Priya choose PostgreSQL?', now),
    );
  });
});

describe('a language', () => {
  it.each([
    ['de', 'Wo liegen die Rechnungen vom März?', 'Die Rechnung vom März liegt im Büro.', 'rechnung'],
    ['es', '¿Dónde están las llaves de la casa?', 'La llave de la casa está detrás del cobertizo.', 'llav'],
    ['fr', 'Où sont les factures de mars ?', 'La facture de mars est dans le tiroir.', 'factur'],
    ['it', 'Luca lavora in città.', 'Luca lavora in città.', 'lavor'],
    ['it', 'Dove sono i libri della scuola?', 'Il libro della scuola è nel cassetto.', 'libr'],
    ['pt', 'Onde estão as chaves do carro?', 'A chave do carro está na gaveta.', 'chav'],
    ['nl', 'Waar zijn de sleutels van het huis?', 'De sleutel van het huis ligt in de schuur.', 'sleutel'],
    ['sv', 'Var ligger nycklarna till huset?', 'Nyckeln till huset ligger i skjulet.', 'huset'],
    ['ru', 'Где лежат ключи от дома?', 'Ключ от дома лежит в сарае.', 'ключ'],
  ])('%s: a question and a memory meet by their stems', (language, query, memory, stem) => {
    expect(analyzeQuery(query, now).language).toBe(language);
    expect(shared(query, memory)).toContain(stem);
  });

  it.each([
    [
      'Woher kommt das Katzenfutter?',
      'Das Futter für die Katze kommt aus dem Laden am Eck.',
      ['futt', 'katz'],
    ],
    ['Wann ist die Geburtstagsfeier?', 'Die Feier zu Omas Geburtstag ist im Mai.', ['feier', 'geburtstag']],
    ['Waar ligt de fietssleutel?', 'De sleutel van de fiets ligt in de la.', ['fiets', 'sleutel']],
    ['När är styrelsemötet?', 'Mötet med styrelsen är på torsdag.', ['motet', 'styr']],
  ])('of a compound, "%s", meets its parts', (query, memory, stems) => {
    expect(shared(query, memory)).toEqual(expect.arrayContaining(stems));
  });

  it.each(['When is the bookkeeping due?', 'Was ist ein Sofa?'])('"%s" has no parts', (query) => {
    const words = analyzeQuery(query, now).terms.filter(({ term }) => !term.startsWith('~'));
    expect(words.map(({ term }) => term)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(book|keep|so|fa)$/)]),
    );
  });

  it.each([
    ['Lodz', 'Kasia mieszka teraz w Łodzi albo Łódź.'],
    ['Malgorzata', 'Małgorzata przyjeżdża w piątek.'],
    ['Jorgen', 'Jørgen bor i Ålesund.'],
    ['Strasse', 'Die Straße ist gesperrt.'],
    ['STRASSE', 'Die Straße ist gesperrt.'],
    ['Dorde', 'Đorđe dolazi u utorak.'],
    ['Tarik', 'Tarık yarın geliyor.'],
    ['Aero', 'Ærø ligger i Danmark.'],
    ['coeur', 'Le médecin de Paul examine le cœur.'],
    ['Thor', 'Þór á gulan bát.'],
  ])('"%s", as many write it, meets "%s"', (query, memory) => {
    expect(shared(query, memory).filter((term) => !term.startsWith('~'))).not.toEqual([]);
  });

  it.each([
    ['Quais são as informações?', 'A informação é falsa.'],
    ['¿Qué organizaciones hay?', 'La organización está lejos del puerto.'],
    ['Qui sont les employées ?', 'Un employé est dans le bureau.'],
    ['Где деревянный сарай?', 'Деревянная лодка стоит за домом.'],
    ['Köpeğin adı ne?', 'Bir köpek ve iki kedi var.'],
    ['Onde fica a estacao?', 'A estação é ao lado da praça.'],
    ['Gdzie są łódki?', 'Jedna łódka jest moja.'],
    ['किताबें कहाँ हैं?', 'किताब मेज़ पर है।'],
    ['أين القاربُ؟', 'القارب عند النهر.'],
    ['頭髮呢?', '她剪了头发。'],
    ['楼梯?', '樓梯很滑。'],
    ['배는 어디에 있어?', '배를 다리 옆에 두었다.'],
  ])('a word and another form of it, "%s", meet in "%s"', (query, memory) => {
    const found = shared(query, memory).filter((term) => !term.startsWith('~'));
    const { terms } = analyzeQuery(query, now);
    expect(terms.filter(({ term, weight }) => found.includes(term) && weight >= 0.4)).not.toEqual([]);
  });

  it.each([
    ['Kiedy przyjdzie listonosz?', 'pl', ['przyjdz', 'listonosz']],
    ['Jaki kolor ma płot?', 'pl', ['kolor', 'plot']],
    ['नाव कहाँ है?', 'hi', ['नाव']],
    ['Какая краска у забора?', 'ru', ['краск', 'забор']],
    ['Çitin rengi nedir?', 'tr', ['cit', 'rengi']],
    ['Où est-ce que Paul a-t-il rangé la rame ?', 'fr', ['paul', 'rang', 'ram']],
    ['Hoeveel kost de roeispaan?', 'nl', ['kost', 'roeispan']],
    ['איפה הסירה?', 'he', ['הסירה']],
  ])('tells what only asks in "%s"', (query, language, expected) => {
    const asked = analyzeQuery(query, now);
    expect(asked.language).toBe(language);
    const telling = asked.terms.filter(({ whole, weight }) => whole && weight > 0.1).map(({ term }) => term);
    expect(telling.sort()).toEqual(expected.sort());
  });

  it.each([
    ['Você é o capitão?', 'pt'],
    ['Questa è la barca.', 'it'],
    ['Nasıl gidilir?', 'tr'],
    ['Łódka jest moja', 'pl'],
    ['Лодка течёт', 'ru'],
    ['Човен і їжак', 'uk'],
  ])('reads the accents of "%s" as %s', (text, language) => {
    expect(analyzeQuery(text, now).language).toBe(language);
  });

  it.each(['Whihc boat is Tim rowing?', 'Zoë rows on the Łyna with Núria', 'le Carré is the writer'])(
    'takes names and errors for no other language: "%s"',
    (text) => {
      expect(analyzeQuery(text, now).language).toBe('en');
    },
  );

  it('stems Turkish by its own letters', () => {
    expect(shared('Bir kız için ne aldım?', 'Kızlar için ve benim için birkaç kitap var.')).toContain('kiz');
  });

  it.each([
    ['Katholiken Bevölkerung', 'Der Anteil der Katholiken an der Bevölkerung ist hoch.'],
    ['facturas marzo', 'Las facturas de marzo están en el cajón de la mesa.'],
    ['Muenchen', 'Herr Müller wohnt in der Mozartstraße in München.'],
    ['server deployment', 'Das Deployment auf den neuen Server ist erst am Montag.'],
  ])('key words alone, "%s", meet "%s"', (query, memory) => {
    expect(shared(query, memory).filter((term) => !term.startsWith('~'))).not.toEqual([]);
  });

  it.each([
    ['Katzen Hotel', 'Die Katze ist im Hotel und nicht zu Hause.', 'katz'],
    ['facturas restaurant', 'La factura del restaurante está en el cajón.', 'factur'],
    ['chaves hotel', 'A chave do hotel está na gaveta.', 'chav'],
    ['vergaderingen project', 'De vergadering over het project is op maandag.', 'vergader'],
    ['bottiglie hotel', 'La bottiglia del hotel è nel cassetto.', 'bottigl'],
  ])('key words beside a word that is English too, "%s", meet "%s"', (query, memory, stem) => {
    expect(shared(query, memory)).toContain(stem);
  });

  it.each([
    'Ada drives a blue tractor.',
    'foo.bar',
    'ERR_CONN_42 in pool.ts',
    'staging database port',
    'Ali met Per and Dara on the train',
  ])('English stays English: "%s"', (text) => {
    expect(analyzeQuery(text, now).language).toBe('en');
  });
});

describe('numbers', () => {
  it.each([
    ['16:00', 'at 4pm', '16:00'],
    ['4 p.m.', 'um 16 Uhr', '16:00'],
    ['9h30', 'at 09:30', '9:30'],
    ['12 am', 'at 0:00', '0:00'],
    ['1.200', 'costs 1,200', '1200'],
    ['1.2k', 'costs 1 200 €', '1200'],
    ['1.280,50 €', 'costs 1280.50', '1280'],
    ['12000', 'किराया १२,०००', '12000'],
    ['450', '٤٥٠ دينار', '450'],
    ['migration 44', '0044_drop.sql', '44'],
    ['what is at 3', 'a call at 3 pm', '3'],
    ['0.500 kg', 'it weighs 0.500 kg', '0.500'],
  ])('"%s" is found in "%s"', (query, text, term) => {
    expect(shared(query, text)).toContain(term);
  });

  it('takes a full hour for no zero', () => {
    expect(shared('were there 0 errors?', 'The meeting is at 4 pm')).toEqual([]);
  });

  it.each(['10.1.200.3', 'v1.200', '04:a3:7e'])('"%s" stays as it is', (text) => {
    expect(documentTerms(text)).toContain(text);
  });
});

describe('a word that is written in two ways', () => {
  it.each([
    ['with a soft hyphen', 'Our {} ended', 'co\u00adoperation', 'cooperation'],
    ['with one at the end of a line', 'Unsere {} ist gut', 'Zusammen\u00ad\narbeit', 'Zusammenarbeit'],
    ['with a hyphen at the end of a line', 'The {} is old', 'infor-\nmation', 'information'],
    ['with one before an indented line', 'The {} is old', 'infor-\r\n    mation', 'information'],
    ['with a zero-width space', 'The {} is long', 'pass\u200bphrase', 'passphrase'],
    ['with a word joiner', 'The {} was 20', 'mark\u2060up', 'markup'],
    ['with a joiner within Hindi', 'यह {} है', 'क्\u200dषमा', 'क्षमा'],
    ['with a hyphen that does not break', 'Write an {} today', 'e\u2011mail', 'email'],
    ['with blanks that do not break', 'It costs {} now', '1\u202f340\u202f000', '1340000'],
    ['with apostrophes in a number', 'It costs {} now', "1'340'000", '1340000'],
    ['with the letter apostrophe of Ukrainian', 'Ми купили {} для дому', 'комп\u02bcютер', "комп'ютер"],
    ['with the apostrophe of Uzbek', 'Bu {} tili', 'o\u02bbzbek', "o'zbek"],
    ['with umlauts', 'Frau {} kommt nicht mehr zu uns', 'Schröder', 'Schroeder'],
    ['with those of a name that is an English word', 'Herr {} kommt am Montag zu uns', 'Müller', 'Mueller'],
    ['with those of a name in English', 'We met with Mr {} on the train', 'Müller', 'Mueller'],
    ['with the å of Danish', 'Vi mødes i {} på mandag', 'Ålborg', 'Aalborg'],
    ['with letters of an Arabic keyboard', 'او در {} زندگی می‌کند', 'ايران', 'ایران'],
    ['as words of Persian together', 'ما {} را خریدیم', 'کتاب‌خانه', 'کتابخانه'],
    ['as words of Persian apart', 'ما {} را خریدیم', 'کتاب‌خانه', 'کتاب خانه'],
    ['with the dot of Hindi', 'हमारे घर में {} है', 'हिन्दी', 'हिंदी'],
    ['with the moon and dot of Hindi', 'यह {} है', 'चाँद', 'चांद'],
  ])('%s, is found by either', (_, sentence, one, other) => {
    const found = (query: string, written: string) =>
      shared(query, sentence.replace('{}', written)).filter((term) => !term.startsWith('~'));
    expect(found(one, other)).not.toEqual([]);
    expect(found(other, one)).not.toEqual([]);
  });

  it('is one word of the two that a hyphen at the end of a line parts', () => {
    expect(shared('who is well known?', 'The well-\nknown one')).toEqual(
      expect.arrayContaining(['know', 'well']),
    );
  });

  it('is no number where the blanks part several', () => {
    expect(documentTerms('Call 030\u00a0123\u00a0456')).not.toContain('30123456');
  });
});

describe('words that are also written as one', () => {
  it.each([
    ['which machines are backed up', 'Backup: none', 'backup'],
    ['cuando cumple años', 'El cumpleaños de mi sobrina', 'cumplean'],
    ['what is our service level objective?', 'SLO of the API: 99.9 %', 'slo'],
    ['the proof of concept', 'The PoC failed', 'poc'],
  ])('"%s" is found in "%s"', (query, text, term) => {
    expect(shared(query, text)).toContain(term);
  });
});

it('takes no stop word for the stem of another word', () => {
  expect(shared('quem não pode comer?', 'A reunião com os fornecedores é às 15h na sala')).not.toContain(
    'com',
  );
  expect(shared('o que ela vai comer?', 'Ela come sempre com os avós em casa')).toContain('com');
});

describe('a statement', () => {
  it.each([
    '今天又在河边看到那只灰色的鹭了',
    '오늘 강가에서 회색 왜가리를 보았다 정말 예뻤다',
    '今日も川で灰色の鷺を見てうれしかった',
  ])('of scripts without spaces names little of what a memory is about: %s', (text) => {
    expect(analyzeQuery(text, now)).toMatchObject({ asks: false });
    expect(analyzeQuery(text, now).expectedWords).toBeLessThan(10);
  });

  it.each([
    '河边的那只灰色的鹭叫什么名字',
    '川で見た灰色の鷺の名前は',
    '강가에서 본 회색 왜가리 이름이 뭐지',
  ])('is none that asks without a mark: %s', (text) => {
    expect(analyzeQuery(text, now).asks).toBe(true);
  });
});

describe('a typing error', () => {
  const corrections = (query: string, isHeld = (_term: string) => false) =>
    correctionsOf(analyzeQuery(query, now), isHeld).map(({ term }) => term);

  it('may be in a word that neither English nor a memory knows', () => {
    expect(corrections('the torunament')).toContain('tournament');
    expect(corrections('the torunament', (term) => term === 'toruna')).toEqual([]);
    expect(corrections('Wann ist die Heizungswratung?')).toContain('heizungswart');
  });

  it('is none in a word that is known, a number, an identifier, what is too short or long, or a talk', () => {
    const talk = 'Quarnwicks are loud and it was late when we rowed home over the lake. '.repeat(5);
    for (const query of ['the violin', '48151', 'ERR_QX_1', 'Ida', 'a'.repeat(60), '名前', talk]) {
      expect(corrections(query), query).toEqual([]);
    }
  });

  it('takes no longer for a long message than for a few words', () => {
    const words = Array.from({ length: 400 }, (_, n) => `quarnwick${String.fromCharCode(97 + (n % 26))}`);
    expect(corrections(`Wann ist das? ${words.join(' ')}`).length).toBeLessThan(8_000);
  });
});

describe('a conversation', () => {
  const talk = 'I was at the lake. The swans were loud. My sister rowed. We ate plums and bread. '.repeat(3);

  it('is looked up whole, what it repeats counting more', () => {
    const query = analyzeQuery(`${talk} The swans came back.`, now);
    expect(query).toMatchObject({ isConversation: true, focus: `${talk} The swans came back.` });
    const weightOf = (term: string) => query.terms.find((item) => item.term === term)?.weight ?? 0;
    expect(weightOf('swan')).toBeGreaterThan(weightOf('back'));
    expect(weightOf('plum')).toBeGreaterThan(1);
  });

  it('may hold a question that has been answered', () => {
    const answered = analyzeQuery(`${talk} Where did you row? To the island. ${talk}`, now);
    expect(answered.isConversation).toBe(true);
  });

  it('of scripts without spaces is one of some eighty characters, but for a message around one question', () => {
    const said = '昨天去了湖边。天鹅叫得很响。姐姐划了船。我们吃了面包。下午又下起雨来。';
    expect(analyzeQuery(said.repeat(4), now).isConversation).toBe(true);
    expect(analyzeQuery(`${said.repeat(4)}姐姐的船是在哪里租的呢?`, now).isConversation).toBe(false);
    expect(analyzeQuery(said, now).isConversation).toBe(false);
  });

  it('is no question in Thai, whose words are longer and which ends by no mark', () => {
    const asked = 'ร้านอาหารไทยที่อยู่ใกล้สถานีรถไฟฟ้าซึ่งพี่สาวแนะนำให้ไปกินเมื่อเดือนที่แล้วและบอกว่าอร่อยมากชื่อว่าร้านอะไร';
    expect(analyzeQuery(asked, now).isConversation).toBe(false);
  });

  it('is no message around one question, nor a short query, nor an identifier of many parts', () => {
    const parts = Array.from({ length: 60 }, (_, n) => `part${n}`).join('_');
    expect(analyzeQuery(parts, now)).toMatchObject({ isConversation: false, expectedWords: Infinity });
    expect(analyzeQuery(`${talk} Where did my sister row?`, now).isConversation).toBe(false);
    expect(analyzeQuery(`Hi! Where did my sister row? ${talk}`, now).isConversation).toBe(false);
    expect(analyzeQuery('The swans came back.', now).isConversation).toBe(false);
  });
});
