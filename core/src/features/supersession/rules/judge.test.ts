import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFact } from '../fact/read-fact.ts';
import { judgeFacts } from './judge.ts';
import { PROFILES } from './profiles.fixture.ts';

function judge(older: string, newer: string) {
  return judgeFacts(readFact(older), readFact(newer));
}

describe('a newer fact replaces an older one', () => {
  it.each([
    ['another colour of a car', 'The colour of my car is red', 'The colour of my car is blue'],
    ['another town whose name is a cue', 'The user lives in El Paso', 'The user lives in Tulsa'],
    ['another mode that is preferred', 'Prefers dark mode', 'Prefers light mode'],
    ['another diet', 'Maya is vegetarian', 'Maya is vegan now'],
    ['another age', 'The user is 29 years old', 'The user just turned 30'],
    ['other hours', 'Support hours are 9 to 5', 'Support hours are 8 to 6'],
    ['another day to which it slipped', 'The launch is on June 1', 'The launch slipped to June 15'],
    ['delay', 'Project Apollo is on track', 'Project Apollo is delayed by two weeks'],
    ['liking what was hated', 'The user hates mushrooms', 'The user likes mushrooms now'],
    ['an end of being together', 'Alice and Bob are dating', 'Alice and Bob broke up'],
    ['another number', 'The cache TTL is 300 seconds', 'Cache TTL set to 600 seconds'],
    ['another port', 'auth listens on port 80', 'auth is on port 81'],
    ['another version', 'The shop runs PHP 7.4', 'Upgraded the shop to PHP 8.3'],
    ['another price', 'My gym membership costs $40 a month', 'My gym membership is $55 a month now'],
    [
      'another date',
      'The project deadline is May 15th',
      'The project deadline has been extended to June 1st',
    ],
    ['another hour', 'Backups run at 02:00', 'Backups run at 04:30'],
    ['another name', "My dog's name is Rex", "My dog's name is Max"],
    ['another place', 'The user lives in Paris, France.', 'The user has moved to Berlin, Germany.'],
    ['another address', 'The repo is at github.com/acme/app', 'The repo is at gitlab.com/acme/app'],
    ['another employer', 'Ann works at Google', 'Ann left Google and joined OpenAI'],
    ['another owner', 'Alice is the team lead', 'Carol replaced Alice as team lead'],
    ['another tool', 'We use zsh', 'We switched from zsh to fish'],
    ['another thing of the kind', 'The user drives a Volvo', 'The user now drives a Kia'],
    ['what changed today', 'The user lives in Berlin', 'Today the user moved to Hamburg'],
    ['what has stopped', 'The user drinks coffee', 'The user stopped drinking coffee'],
    [
      'what it names as former',
      'The user uses Vue for the frontend',
      'The frontend uses Svelte instead of Vue',
    ],
    ['"not any longer"', 'Feature X is behind a flag', 'Feature X is no longer behind a flag'],
    ['a support that was dropped', 'The app supports Python 3.8', 'The app dropped support for Python 3.8'],
    ['a denial', 'The API accepts cookies', 'The API does not accept cookies'],
    ['another state', 'Ticket 12 is open', 'Ticket 12 is closed'],
    ['a move back', 'Ilse moved to Graz', 'Ilse moved back to Linz'],
    ['another home than one moved to', 'Ilse moved to Graz', 'Ilse lives in Linz now'],
    ['another home, in German', 'Ilse ist nach Graz gezogen', 'Ilse wohnt jetzt in Linz'],
    ['a move back home', 'The user lives in Graz', 'The user moved back to Linz'],
    ['a move back in German', 'Ilse ist nach Graz gezogen', 'Ilse ist zurück nach Linz gezogen'],
    ['the price of a plan', 'The Solo plan costs 9 euros', 'We raised the Solo plan to 11 euros'],
    ['another date in Chinese', '考试定在三月五日', '考试推迟到三月十二日'],
    ['another hour in Japanese', '会議は9時です', '会議は11時に変更になりました'],
    ['another colour of a build', 'The iOS build is red', 'The iOS build is green again'],
    ['what works again', 'The printer is down since noon', 'The printer is up again'],
    ['another state in German', 'Der Antrag ist ausstehend', 'Der Antrag ist genehmigt'],
    ['another state in Spanish', 'El recibo 12 está pendiente', 'El recibo 12 ya está pagado'],
    ['another state in French', "L'ascenseur est en panne", "L'ascenseur est en service"],
    ['another state in Chinese', '注册页面的任务正在进行中', '注册页面的任务已完成'],
    ['another state in Japanese', '本番のビルドは失敗した', '本番のビルドは成功した'],
    ['the other order', 'User prefers email over phone', 'User prefers phone over email'],
    ['another value of a key', 'MAX_WORKERS: 4', 'MAX_WORKERS: 8'],
    [
      'a tool that was replaced',
      'We use MongoDB as database',
      'We replaced MongoDB with Postgres as database',
    ],
    ['one thing of an owner', 'Our biggest customer is Initech', 'Our biggest customer is Globex'],
    ['another count', 'The user has two brothers', 'The user has three brothers'],
    ['in other words', 'Nina has an old Volvo', 'Nina sold the Volvo and has a Kia now'],
    ['in one of its clauses', 'The office has 12 desks', 'Two desks were sold, the office has 10 desks now'],
    [
      'in a clause without a subject',
      'The hosting contract ends on 12 June',
      'Hosting contract renewed, ends on 12 September',
    ],
    ['several values of a key', 'Training days: mon, wed', 'Training days: tue, thu'],
    [
      'a value that any verb led to',
      "Nora's budget for the trip is $900",
      'Nora stretched the trip budget to $1100',
    ],
    ['another holder of an office', 'Our CFO is Ida Lund', 'Ida Lund left; Omar Reza is CFO'],
    [
      'what somebody else did to it',
      'The order limit for tea is 48',
      'The shop lowered the order limit for tea to 24',
    ],
    [
      'another who does it',
      'Flu shots of the clinic are given by Ann',
      'Since Monday Ben gives the flu shots of the clinic',
    ],
    ['another holder of any office', 'Corresponding author is Menon', 'Alvarez is corresponding author'],
    ['the value behind a date', 'Die Karte kostet 49 Euro', 'Die Karte kostet seit Januar 58 Euro'],
    ['what holds from today on', 'La tienda cierra a las 20:00', 'Desde hoy la tienda cierra a las 21:00'],
    ['a habit that came back', 'I eat no meat', 'I eat meat again'],
    ['what is no more to be used', 'Use mocha for tests', 'Stop using mocha for tests, use vitest'],
    ['a value that was wrong', 'Max turns 6 in April', 'Correction: Max turns 7 in April'],
    [
      'what is shortened',
      'I am allergic to penicillin',
      "The doctor tested me, and I'm not allergic to penicillin",
    ],
    ['what one has left by another word', 'I work at Acme', 'I quit my position at Acme'],
    ['what one no longer goes to', 'I go to the gym', 'I stopped going to the gym'],
    [
      'a home that a word stands for',
      'Ida lives in Bordeaux',
      'Ida has a flat in Nantes now; she gave up the one in Bordeaux',
    ],
    [
      'what a test has shown',
      'Paul is allergic to penicillin',
      "Allergy test says Paul isn't allergic to penicillin after all",
    ],
    ['a city behind a country', 'Maya lives in Portugal', 'Maya lives in Porto now'],
    ['a thing at home', 'The wifi password at home is blue-1', 'Changed the home wifi password to otter-12'],
    [
      'hours in French',
      "La réunion d'équipe a lieu le lundi à 9 h",
      "La réunion d'équipe est désormais le jeudi à 14 h",
    ],
    ['a home in German', 'Ich wohne in Kassel', 'Seit Oktober bin ich in Jena zu Hause'],
    [
      'where it is reached, in German',
      'Der Testserver läuft auf Port 8080',
      'Der Testserver ist unter Port 9090 erreichbar',
    ],
    ['a home in French', "J'habite à Lyon", "J'ai emménagé à Nantes le mois dernier"],
    ['what somebody has quit, in German', 'Jonas arbeitet bei Siemens', 'Jonas hat bei Siemens gekündigt'],
    ['a lock', 'The door is locked', 'The door is unlocked'],
    ['what goes on', 'Project Heron is on hold', 'Project Heron has been resumed'],
    ['what is no longer valid', 'The API key is valid', 'The API key has expired'],
    ['what can be had again', 'The blue chairs are sold out', 'The blue chairs are in stock'],
    ['what works again', 'The mail server is down', 'The mail server is up again'],
    ['a state in German', 'Der Antrag ist abgelehnt', 'Der Antrag ist genehmigt'],
    ['a state in Spanish', 'La factura 12 está impagada', 'La factura 12 está pagada'],
    ['in German', 'Die Firma sitzt in München', 'Die Firma ist nach Augsburg umgezogen'],
    ['in Spanish', 'Trabajo en Google', 'Ahora trabajo en Meta'],
    ['in French', 'Je travaille chez Renault', 'Je ne travaille plus chez Renault'],
    ['in Japanese', '私は京都に住んでいます', '私は東京に引っ越しました'],
    ['in Chinese', '负责人是张三', '负责人换成了李四'],
  ])('%s', (_, older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'replaces' });
  });
});

describe('both hold', () => {
  it.each([
    ['where a trip is off, and not the home', 'I live in Rome', 'Cancelled the trip to Rome'],
    ['where a move to it is off', 'We use Postgres', 'We stopped the migration to Postgres'],
    ['where something in it was sold', 'I work in Berlin', 'Sold my flat in Berlin'],
    ['where a visit is off, in French', "J'habite à Rome", 'On a annulé le voyage à Rome'],
    [
      'where something for the home changed',
      'Ida lives in a flat in Rome',
      'Ida switched her home insurance to Axa',
    ],
    [
      'where another contract ended',
      'Jonas arbeitet bei Siemens',
      'Jonas hat seinen Vertrag bei Vodafone gekündigt',
    ],
    ['where a team left something', 'Milan is on the platform team', 'The team has left Slack for Zulip'],
    ['of two people', 'My brother Tom is 30', 'My sister Ann is 27'],
    [
      'of one person, where another thing changed',
      'User speaks Polish',
      'User quit Siemens and is freelancing',
    ],
    [
      'where what changed has another name',
      'Ben lives in Dublin',
      'Ben raised his hourly rate to 110 dollars',
    ],
    ['of two months', 'Visits in May were 12,400', 'Visits in June were 13,100'],
    ['of two services', 'Redis runs on 6379', 'Memcached runs on 11211'],
    ['of two environments', 'Production uses Postgres 15', 'Staging uses Postgres 16'],
    ['of two attributes', 'The API has a rate limit of 100', 'The API has a timeout of 30 seconds'],
    ['of oneself and of another', 'We charge 95 for a visit', "Hadley's, our rival, charges 80 for a visit"],
    ['of two measures', 'The wall is 3 m high', 'Lena is 62 kg'],
    ['of two things that are counted', 'The mill employs six people', 'The mill turns out 400 loaves a day'],
    ['as likings', 'The user likes pizza', 'The user likes pasta'],
    ['as items of a list', 'TODO: buy milk', 'TODO: buy eggs'],
    ['as what is to be bought', 'Shopping: oat milk', 'shopping: dishwasher tabs'],
    ['as what is to be bought, after "to"', 'To buy: eggs', 'To buy: flour'],
    ['as items of a list with its name', 'Lista de la compra: leche', 'Lista de la compra: pan'],
    ['as items of a list in German', 'Einkauf: Milch', 'Einkauf: Brot'],
    ['as items of a list in French', 'Courses : lait', 'Courses : pain'],
    ['as items of a list in Italian', 'Spesa: latte', 'Spesa: pane'],
    ['as items of a list in Dutch', 'Boodschappen: melk', 'Boodschappen: brood'],
    ['as items of a list in Chinese', '购物: 牛奶', '购物: 鸡蛋'],
    ['as items of a list in Japanese', '買い物: 卵', '買い物: 牛乳'],
    ['as items of a list in Portuguese', 'Compras: leite', 'Compras: pão'],
    ['as items of a list in Swedish', 'Inköp: mjölk', 'Inköp: bröd'],
    ['as items of a list in Polish', 'Zakupy: mleko', 'Zakupy: chleb'],
    ['as items of a list in Russian', 'Покупки: молоко', 'Покупки: хлеб'],
    ['as items of a list in Korean', '장보기: 우유', '장보기: 계란'],
    ['as what is to be read, in Italian', 'Lettura: Eco', 'Lettura: Calvino'],
    ['as items of a list behind a bullet', '- Shopping: eggs', '- Shopping: milk'],
    ['as a rule and its exception', 'The shop is open daily', 'The shop is closed on public holidays'],
    ['as a rumour', 'Our CTO is Ravi Menon.', 'Rumour: Claire Duff becomes CTO in spring.'],
    [
      'as a rumour behind a colon',
      'Our CTO is Ravi Menon.',
      'Coffee kitchen gossip: Claire Duff might become CTO in spring. Nobody upstairs confirms it.',
    ],
    ['as a rumour in German', 'Unser Büro ist in Köln.', 'Angeblich ist unser Büro in Bonn.'],
    ['as a plan', 'We deploy with Jenkins', 'We are thinking about GitHub Actions'],
    ['as a question', 'The port is 80', 'Is the port 81?'],
    ['as what was before', 'Ana works at Bosch', 'Before that, Ana worked at Siemens'],
    ['as events of two days', 'Ran 5 km today', 'Ran 8 km today'],
    ['as general and specific', 'Maya lives in Portugal', 'Maya lives in Lisbon'],
    ['as more of the same', 'Ben has a dog', 'Ben has an old dog called Waldi'],
    ['of two tickets', 'Ticket 12 is open', 'Ticket 13 is closed'],
    ['of two who moved', 'Ilse moved to Graz', 'Odo moved to Linz'],
    ['of one who moved and a relative', 'Ilse moved to Graz', "Ilse's sister lives in Linz now"],
    ['of a home and the country it is in', 'Ilse moved to Graz', 'Ilse lives in Austria now'],
    ['of where one lives and with whom', 'Ilse moved to Graz', 'Ilse lives with Odo now'],
    ['of two things that were moved', 'We moved the server to Graz', 'We moved the archive to Linz'],
    ["of somebody and somebody's husband", 'Olga smokes', "Olga's husband stopped smoking"],
    ['as a claim', 'The fair is on 4 May', 'Sales claims the fair was moved to 18 May'],
    ['as a wish and what is had', 'Olga wants to sell the red boat', 'Olga has a red boat'],
    ['of two builds', 'The iOS build is red', 'The Android build is green'],
    ['as a rule and a day', 'The pool is open every day', 'The pool is closed on Christmas Day'],
    ['of a thing of a colour', 'The red lamp is in the hall', 'The green lamp is in the hall'],
    ['of two denials', 'We no longer support IE11', 'We no longer support Safari 12'],
    ['of two that changed', 'We moved the standup to 10:00', 'We moved the review to 15:00'],
    ['of two plans', 'Price of plan A was raised to $20', 'Price of plan B was raised to $40'],
    ['of one and a relative', 'The user lives in Berlin', "The user's girlfriend moved to Hamburg"],
    ['of a place and a work', 'The user no longer lives with Ben', 'The user works with Ben'],
    ['of two roles', 'I work at Acme', 'I work on the billing team now'],
    ['of two parts of the week', 'Alarm at 6:30 on weekdays', 'Alarm at 8:00 on weekends'],
    ['of months and years', 'Pro costs $29 per month', 'Pro costs $290 per year'],
    [
      'as an event before another',
      'Ann shipped the red lamp in Rome',
      'Ann postponed the blue chair in Rome',
    ],
    [
      'as two things that are over',
      'Bo and Al cancelled a ticket on day 3',
      'Di and Ed cancelled a concert on day 9',
    ],
    ['as what was before a move', 'Oskar lives in Graz', 'Before Graz, Oskar lived in Linz'],
    ['of two who changed', 'Alice now lives in Rome', 'Bob now lives in Milan'],
  ])('%s', (_, older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'coexists' });
  });
});

describe('in languages of the world', () => {
  it.each([
    ['Vivo en Sevilla.', 'Ahora vivo en Granada.'],
    ['Я живу в Казани.', 'Я переехал в Самару.'],
    ['Пароль хранится в Bitwarden.', 'Пароль теперь хранится в 1Password.'],
    ['أسكن في القاهرة.', 'انتقلت إلى الإسكندرية.'],
    ['我们的经理是王伟。', '我们的新经理是李娜。'],
    ['我最喜欢的颜色是蓝色。', '我现在最喜欢的颜色是绿色。'],
    ['大阪に住んでいます。', '京都に引っ越しました。'],
    ['서울에 살아요.', '부산으로 이사했어요.'],
    ['Moro em Lisboa.', 'Mudei-me para o Porto.'],
    ['Mieszkam w Krakowie.', 'Przeprowadziłem się do Gdańska.'],
    ['İzmir’de yaşıyorum.', 'Artık Ankara’da yaşıyorum.'],
    ['J’habite à Lyon.', 'J’ai déménagé à Nantes.'],
    ['Мой начальник — Пётр.', 'Мой новый начальник — Сергей.'],
    ['Офис находится в Минске.', 'Офис теперь находится в Бресте.'],
    ['Подписка стоит 500 рублей.', 'Подписка теперь стоит 700 рублей.'],
    ['Il mio dentista è Rossi.', 'Il mio nuovo dentista è Verdi.'],
    ['L’abbonamento costa 10 euro.', 'L’abbonamento ora costa 12 euro.'],
    ['A minha chefe é a Inês.', 'A minha nova chefe é a Clara.'],
    ['O ginásio custa 30 euros.', 'O ginásio agora custa 35 euros.'],
    ['Moramos em Évora.', 'Mudamo-nos para Beja.'],
    ['Mijn baas is Kees.', 'Mijn nieuwe baas is Joost.'],
    ['Het abonnement kost 20 euro.', 'Het abonnement kost nu 25 euro.'],
    ['Mój lekarz to Nowak.', 'Mój nowy lekarz to Lis.'],
    ['Karnet kosztuje 100 zł.', 'Karnet kosztuje teraz 120 zł.'],
    ['札幌に住んでいます。', '福岡に引っ越しました。'],
    ['定例会は火曜日です。', '定例会は金曜日に変更されました。'],
    ['上司は鈴木さんです。', '新しい上司は高橋さんです。'],
    ['我住在成都。', '我现在住在深圳。'],
    ['房租是三千元。', '房租涨到三千五百元。'],
    ['我的老板是张强。', '我的新老板是刘洋。'],
    ['인천에 살아요.', '지금은 수원에 살아요.'],
    ['담당자는 김민수입니다.', '담당자는 이제 박지훈입니다.'],
    ['أعيش في الرياض.', 'أعيش الآن في جدة.'],
    ['الاشتراك يكلف 50 ريال.', 'الاشتراك الآن يكلف 60 ريال.'],
  ])('replaces: %s / %s', (older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'replaces' });
  });

  it.each([
    ['Мой брат живёт в Омске.', 'Моя сестра живёт в Твери.'],
    ['Ольга любит чай.', 'Ольга любит кофе.'],
    ['Встреча с Иваном по вторникам.', 'Встреча с Анной по средам.'],
    ['Il medico di Anna è Rossi.', 'Il medico di Luca è Bianchi.'],
    ['Anna ama il jazz.', 'Anna ama anche il blues.'],
    ['Il gatto si chiama Leo.', 'Il cane si chiama Rex.'],
    ['O João mora em Braga.', 'A Rita mora em Faro.'],
    ['Gosto de fado.', 'Gosto também de samba.'],
    ['A reunião de vendas é à segunda-feira.', 'A reunião de produto é à quinta-feira.'],
    ['Jan woont in Leiden.', 'Piet woont in Delft.'],
    ['Ik hou van kaas.', 'Ik hou ook van wijn.'],
    ['De bakker is open op maandag.', 'De slager is open op dinsdag.'],
    ['Anna mieszka w Łodzi.', 'Piotr mieszka w Gdyni.'],
    ['Lubię kawę.', 'Lubię też herbatę.'],
    ['Serwer testowy używa portu 80.', 'Serwer produkcyjny używa portu 443.'],
    ['Ayşe Bursa’da oturuyor.', 'Mehmet Adana’da oturuyor.'],
    ['兄は名古屋に住んでいます。', '妹は仙台に住んでいます。'],
    ['妈妈住在杭州。', '爸爸住在南京。'],
    ['형은 대전에 살아요.', '누나는 광주에 살아요.'],
    ['أخي يسكن في طنطا.', 'أختي تسكن في أسوان.'],
    ['New servers get the name of a river.', 'Servers get rebooted on Sundays.'],
    ['Orders are packed by Tim.', 'New orders come in through the shop.'],
    ['The tests need Docker.', 'New tests go into test/.'],
    ['Nova is my dog.', 'Ben is my cat.'],
    ['Mia lives in Rome.', 'Ela lives in Oslo.'],
    ['Dependencies are updated by Renovate.', 'New dependencies must be MIT licensed.'],
    ['Will lives in Rome.', 'Rose lives in Oslo.'],
    ['I live in Rome.', 'I moved a Picasso to the attic.'],
    ['Ann lives in Rome.', 'Ann moved a Tesla share to the fund.'],
    ['Ann lives in Rome.', 'Ann lives a Bohemian life.'],
    ['Prefers dark mode in the editor.', 'Prefers light mode in the terminal.'],
    ['The user hates olives.', 'The user hates mushrooms.'],
    ['Opening hours are 9 to 5 on weekdays.', 'Opening hours are 10 to 2 on Saturdays.'],
    ['Ann is 30 years old.', 'Tom is 40 years old.'],
    ['Tests run on every push.', 'New tests are written with vitest.'],
  ])('leaves both: %s / %s', (older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'coexists' });
  });
});

describe('told with the time of the change, or of something else', () => {
  it.each([
    ['I live in Rome', 'Last month I moved to Oslo'],
    ['I live in Rome', 'I moved to Oslo last week'],
    ['I live in Rome', 'I recently moved to Oslo'],
    ['I live in Rome', 'I just moved to Oslo'],
    ['Ich wohne in Wien', 'Ich bin letzte Woche nach Graz gezogen'],
    ['Ich wohne in Wien', 'Letzten Monat bin ich nach Graz umgezogen'],
    ['Ich wohne in Wien', 'Ich bin vor kurzem nach Graz gezogen'],
    ['Ich wohne in Wien', 'Ich bin gerade nach Graz gezogen'],
    ['Ich wohne in Wien', 'Seit Mai wohne ich in Graz'],
    ['Vivo en Madrid', 'La semana pasada me mudé a Sevilla'],
    ['Vivo en Madrid', 'Me mudé a Sevilla el mes pasado'],
    ['Vivo en Madrid', 'Acabo de mudarme a Sevilla'],
    ['Vivo en Madrid', 'Recientemente me mudé a Sevilla'],
    ["J'habite à Lyon", "J'ai déménagé à Nantes le mois dernier"],
    ["J'habite à Lyon", "La semaine dernière, j'ai déménagé à Nantes"],
    ["J'habite à Lyon", 'Je viens de déménager à Nantes'],
    ["J'habite à Lyon", "J'ai récemment déménagé à Nantes"],
    ['Abito a Roma', 'Mi sono trasferito a Torino il mese scorso'],
    ['Abito a Roma', 'La settimana scorsa mi sono trasferito a Torino'],
    ['Abito a Roma', 'Mi sono appena trasferito a Torino'],
    ['Moro em Lisboa', 'Mudei-me para o Porto no mês passado'],
    ['Moro em Lisboa', 'Na semana passada mudei-me para o Porto'],
    ['Ik woon in Utrecht', 'Ik ben vorige maand naar Leiden verhuisd'],
    ['Ik woon in Utrecht', 'Vorige week ben ik naar Leiden verhuisd'],
    ['Я живу в Казани', 'В прошлом месяце я переехал в Самару'],
    ['Я живу в Казани', 'Я недавно переехал в Самару'],
    ['Я живу в Казани', 'На прошлой неделе я переехала в Самару'],
    ['Mieszkam w Krakowie', 'W zeszłym miesiącu przeprowadziłem się do Gdańska'],
    ['Mieszkam w Krakowie', 'Niedawno przeprowadziłam się do Gdańska'],
    ["İstanbul'da yaşıyorum", "Geçen ay Ankara'ya taşındım"],
    ["İstanbul'da yaşıyorum", "Geçen hafta Ankara'ya taşındım"],
    ['서울에 살고 있어요', '지난달에 부산으로 이사했어요'],
    ['서울에 살고 있어요', '최근에 부산으로 이사했어요'],
    ['أسكن في القاهرة', 'انتقلت إلى الإسكندرية الشهر الماضي'],
    ['我住在北京', '我上个月搬到杭州了'],
    ['我住在北京', '我去年搬到了杭州'],
    ['我住在北京', '我刚搬到深圳'],
    ['我住在北京', '我上周搬到了深圳'],
    ['我住在北京', '我最近搬到深圳了'],
    ['我住在北京', '上个星期我搬到了深圳'],
    ['大阪に住んでいます', '先月東京に引っ越しました'],
    ['大阪に住んでいます', '去年、東京に引っ越しました'],
    ['大阪に住んでいます', '最近東京に引っ越しました'],
    ['大阪に住んでいます', '先週東京に引っ越しました'],
    ['会议在周三下午', '会议上周改到周四下午了'],
    ['我们的数据库是MySQL', '上周我们的数据库换成了PostgreSQL'],
    ['Die Miete beträgt 900 Euro', 'Letzten Monat ist die Miete auf 950 Euro gestiegen'],
    ['El alquiler cuesta 800 euros', 'El mes pasado el alquiler subió a 850 euros'],
    ['Le loyer est de 800 euros', 'Le mois dernier, le loyer est passé à 850 euros'],
    ['My rent is 900 euros', 'Last month my rent went up to 950 euros'],
    ['Mein Zahnarzt ist Dr. Weber', 'Letzte Woche bin ich zu Dr. Huber als Zahnarzt gewechselt'],
    ['Der Termin ist am Dienstag', 'Der Termin wurde gestern auf Donnerstag verschoben'],
    ['Das Passwort-Tool ist KeePass', 'Seit letzter Woche nutzen wir Bitwarden als Passwort-Tool'],
    ['La reunión es el martes', 'La semana pasada cambiamos la reunión al jueves'],
    ['El precio es de 20 euros', 'El precio subió la semana pasada a 25 euros'],
    ['La réunion est le lundi', 'La réunion a été reportée au mercredi la semaine dernière'],
    ['Il mio dentista è il dottor Bianchi', 'Il mese scorso sono passato al dottor Verdi come dentista'],
    ['O meu chefe é o Rui', 'Desde o mês passado o meu chefe é o Pedro'],
    ['Onze server staat in Parijs', 'Onze server is vorige week naar Frankfurt verplaatst'],
    ['Spotkanie jest w poniedziałek', 'W zeszłym tygodniu spotkanie przełożono na środę'],
    ['회의는 화요일이에요', '지난주에 회의가 목요일로 변경되었습니다'],
    ['我们的服务器在东京', '我们的服务器上周迁移到新加坡了'],
    ['房租是3000元', '房租上个月涨到3500元了'],
    ['会議は火曜日です', '会議は先週木曜日に変更されました'],
    ['家賃は8万円です', '先月、家賃が9万円に上がりました'],
    ['サーバーは東京にあります', '先月サーバーを大阪に移行しました'],
    ['My dentist is Dr. Weber', 'I recently switched to Dr. Huber as my dentist'],
    ['User lives in Seattle', 'User moved to the countryside'],
    ['I work at Telefonica.', 'Last month I started working at Orange.'],
    ['The appointment is on Tuesday.', 'Yesterday the appointment was moved to Thursday.'],
    ['The appointment is on Tuesday.', 'The appointment was moved yesterday to Thursday.'],
    ['サーバーは東京にあります', 'サーバーは大阪に移りました'],
    ['Tests run with Jest', 'Tests have been migrated to Vitest'],
    ['Standup is at 9:30', 'Standup moved to 10:00'],
    ['Logs are kept for 30 days', 'Log retention was reduced to 7 days'],
    ['Staging database is Postgres 13', 'Staging was bumped to Postgres 16'],
    ['User’s phone is a Pixel 6', 'User upgraded to a Pixel 9'],
    ['User is 29', 'User turned 30'],
    ['User is married to Priya', 'User and Priya got divorced last year'],
    ['회의는 화요일이에요', '회의가 목요일로 변경되었습니다'],
  ])('replaces: %s / %s', (older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'replaces' });
  });

  it.each([
    ['I work at Siemens.', 'I recently joined Bosch.'],
    ['I work at Siemens.', 'I started at Bosch in May.'],
    ['User works as a nurse', 'User recently became a paramedic'],
    ['The project uses Express', 'The project was ported to Fastify'],
    ['Ich arbeite bei Siemens', 'Ich bin zu Bosch gewechselt'],
    ['Je travaille chez Renault', "J'ai récemment rejoint Peugeot"],
  ])('doubts: %s / %s', (older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'conflicts' });
  });

  it.each([
    ['I live in Rome', 'I will move to Oslo next month'],
    ['我住在北京', '我下个月要搬到深圳'],
    ['我住在北京', '我明年打算搬到深圳'],
    ['我住在北京', '我去年住在上海'],
    ['大阪に住んでいます', '去年は東京に住んでいました'],
    ['大阪に住んでいます', '来月東京に引っ越します'],
    ['Ich wohne in Wien', 'Nächsten Monat ziehe ich nach Graz'],
    ['Ich wohne in Wien', 'Letztes Jahr wohnte ich in Graz'],
    ['Vivo en Madrid', 'El mes que viene me mudo a Sevilla'],
    ['Vivo en Madrid', 'El año pasado vivía en Sevilla'],
    ["J'habite à Lyon", 'Le mois prochain je déménage à Nantes'],
    ["J'habite à Lyon", "L'année dernière j'habitais à Nantes"],
    ['Abito a Roma', 'Il mese prossimo mi trasferisco a Torino'],
    ['Я живу в Казани', 'В следующем месяце я переезжаю в Самару'],
    ['Я живу в Казани', 'В прошлом году я жил в Самаре'],
    ['Ik woon in Utrecht', 'Volgende maand verhuis ik naar Leiden'],
    ['Ik woon in Utrecht', 'Vorig jaar woonde ik in Leiden'],
    ['서울에 살고 있어요', '작년에 부산에 살았어요'],
    ['我住在北京', '我上周去了上海'],
    ['大阪に住んでいます', '先週東京に行きました'],
    ['Vivo en Madrid', 'La semana pasada viajé a Sevilla'],
    ['Ich wohne in Wien', 'Letzte Woche war ich in Graz'],
    ['Mein Zahnarzt ist Dr. Weber', 'Letzte Woche war ich bei Dr. Huber wegen meines Knies'],
    ['Ich arbeite bei Siemens', 'Letztes Jahr habe ich bei Bosch gearbeitet'],
    ['Trabajo en Telefónica', 'El año pasado trabajé en Orange'],
    ['La reunión es el martes', 'La semana pasada la reunión fue el jueves'],
    ["J'habite à Lyon", "La semaine dernière j'étais à Nantes"],
    ['Je travaille chez Renault', "J'ai récemment visité Peugeot"],
    ['Abito a Roma', 'Il mese scorso sono andato a Torino'],
    ['Я живу в Казани', 'На прошлой неделе я ездил в Самару'],
    ['我在腾讯上班', '我去年在阿里上班'],
    ['我在腾讯上班', '我上周参观了阿里'],
    ['我住在北京', '我刚从上海回来'],
    ['我们的服务器在东京', '我们上个月在新加坡开了新的办公室'],
    ['会議は火曜日です', '先週の会議は木曜日でした'],
    ['家賃は8万円です', '去年の家賃は7万円でした'],
    ['회의는 화요일이에요', '지난주 회의는 목요일이었어요'],
    ['서울에 살아요', '지난달에 부산에 갔어요'],
    ["İstanbul'da yaşıyorum", "Geçen ay Ankara'ya gittim"],
    ['Moro em Lisboa', 'No mês passado fui ao Porto'],
    ['Ik woon in Utrecht', 'Vorige week was ik in Leiden'],
    ['Mieszkam w Krakowie', 'W zeszłym tygodniu byłem w Gdańsku'],
    ['Spotkanie jest w poniedziałek', 'W zeszłym tygodniu spotkanie było w środę'],
    ['I live in Rome', 'I recently visited Oslo'],
    ['My dentist is Dr. Weber', 'I recently saw Dr. Huber about my knee'],
    ['我住在北京', '我搬了钢琴'],
    ['我住在北京', '我帮朋友搬家了'],
    ['I work at Siemens.', 'Ben joined Bosch.'],
    ['I work at Siemens.', 'I joined the gym.'],
    ['User lives in Seattle', 'User moved to the backend team'],
    ['User lives in Seattle', 'User moved to a new bank, Ally'],
    ['Maria lives in Porto', 'Maria moved into marketing'],
    ['User lives in Bergen', 'User was in Oslo yesterday and moved a meeting to Friday'],
    ['I work at Siemens.', 'The shift started at 8.'],
    ['I work at Siemens.', 'I started working out at Bosch Park.'],
    ['User works as a nurse', 'User became a mother in May'],
    ['Standup is at 9:30', 'Retro is at 10:00'],
    ['Staging database is Postgres 13', 'Production database is Postgres 16'],
    ['User is 29', 'User has 30 plants'],
    ['회의는 화요일이에요', '면접은 목요일이에요'],
  ])('leaves both: %s / %s', (older, newer) => {
    expect(judge(older, newer)).toMatchObject({ verdict: 'coexists' });
  });
});

it.each(Object.entries(PROFILES))('leaves alone what may all be true of one person: %s', (_, facts) => {
  const replaced = facts.flatMap((older) =>
    facts
      .filter((newer) => newer !== older && judge(older, newer).verdict === 'replaces')
      .map((newer) => [older, newer]),
  );
  expect(replaced).toEqual([]);
});

it.each([
  ['an entry beside another', 'Allergy: nuts', 'Allergy: pollen'],
  ['an entry of another kind', 'orders: port 8001', 'orders: owner Ann'],
  ['a numbered thing', 'Ticket AB-403: the cart crashes', 'Ticket AB-439: the cart crashes'],
  ['a narrower denial', 'Ann likes tea', 'Ann does not like green tea'],
  ['a denial in one case', 'Dogs are allowed', 'Dogs are not allowed in the kitchen'],
  ['another case', 'Entry for kids costs 5 euros', 'Entry for adults now costs 12 euros'],
  ['another place', 'The gym in Bonn is open on Sundays', 'The gym in Kiel is no longer open on Sundays'],
  ['somebody else', 'Olga smokes', 'Tim quit smoking'],
  ["somebody's child", 'The user wears size 42', "The user's son wears size 36"],
  ['a relative', "The user's mother lives in Graz", 'The user moved to Berlin'],
  ['what was taken back', 'The port is 8080', 'The change of the port to 3000 was rolled back'],
  ['a story', 'The CEO is Anna Berg', 'In the novel, the CEO is Otto Hahn'],
  ['an exception for a week', 'The meeting is at 10', 'This week the meeting is at 14'],
  ['one of many', 'One of my friends lives in Rome', 'One of my friends lives in Oslo'],
  ['one of several tasks', 'Ann works on the parser', 'Ann works on the lexer'],
  ['a state of another kind', 'The door is red', 'The door is open'],
  ['a state of another kind than one', 'The shop is open', 'The shop is for sale'],
  ['the state of another door', 'The front door is locked', 'The back door is unlocked'],
  ['the state of others', 'The blue chairs are sold out', 'The red chairs are in stock'],
  ['a state before and after an hour', 'Parking is permitted until 8', 'Parking is prohibited after 8'],
  ['a further step', 'Order 12 is paid', 'Order 12 is shipped'],
  ['another tool that was taken up', 'We moved to Postgres', 'We moved to Kubernetes'],
  ['another change of somebody', 'Ben moved to Turin', 'Ben moved to Marketing'],
  ['where one lives who moved', 'Ben moved to Turin', 'Ben lives in Rome'],
  ['what else a team moved to', 'The team moved to Slack', 'The team lives in Turin now'],
  ['what was not done', '私は京都に住んでいます', '私は東京に引っ越しませんでした'],
])('does not take %s for another value', (_, older, newer) => {
  expect(judge(older, newer).verdict).not.toBe('replaces');
});

it('tells a state from a change of a number', () => {
  expect(judge('The rent is 900 euros', 'The rent is down to 850 euros')).toMatchObject({
    verdict: 'replaces',
  });
});

it('leaves in doubt of two clauses the one that it does not change', () => {
  expect(
    judge('Ravi works on billing, Tove on search.', 'Ravi moved from billing to platform.').verdict,
  ).toBe('conflicts');
});

it.each([
  ['have several such values', 'The lab now uses Vim', 'The lab now uses tmux'],
  ['recur', 'Paul is in the office on Mondays', 'Paul is in the office on Thursdays'],
  [
    'be in another state by a clause',
    'The heating is broken and smells of oil',
    'The heating works again, a valve was stuck',
  ],
  [
    'be named by less of its words',
    'Ticket AB-7 about the export is open and waits for Ann',
    'Ticket AB-7 was closed',
  ],
  ['have done what they intended', 'Olga wants to sell the boat', 'Olga sold the boat to a friend'],
  ['be in another state in one case', 'The manual is a draft', 'The manual is published on the intranet'],
  ['be on several days', 'Yoga is on Monday at 9', 'Yoga is on Tuesday at 10'],
  ['be another than who speaks', 'I smoke', 'Dad quit smoking three weeks ago'],
  ['be told of by others', 'Tom lives in Rome', 'Ann says Tom lives in Milan'],
  ['be told of by others at length', 'Tom lives in Rome', 'My friend Ann says Tom lives in Milan'],
  ['be described in several ways', 'The login page is slow', 'The login page is blue now'],
])('is in doubt where a subject may %s', (_, older, newer) => {
  expect(judge(older, newer)).toMatchObject({ verdict: 'conflicts' });
});

it('leaves a memory in doubt that says more than what a newer one changes', () => {
  const older = 'Pavel lives in Brno. He speaks Czech, works for a museum and plays chess.';
  expect(judge(older, 'Pavel moved from Brno to Prague')).toMatchObject({ verdict: 'conflicts' });
});

it('says in plain words what changed', () => {
  expect(judge('The port is 8080', 'The port is 9090').reason).toBe('8080 became 9090');
  expect(judge('Paul smokes', 'Paul quit smoking').reason).toBe('says that this is no longer so');
});

it('takes a long text for more than one fact', () => {
  const long = 'The port is 80. '.repeat(50);
  expect(judge(long, 'The port is 81')).toMatchObject({ verdict: 'coexists' });
});

/** Sentences of words that the rules know and words that they do not. */
const sentence = fc
  .array(
    fc.constantFrom(
      ...'the a is not no longer moved to from now Maya Ben port 8080 9090 lives in on instead of replaced by sold'.split(
        ' ',
      ),
      ...'May 14 $5 v1.2 /etc/x open closed used 3pm never : , . = 住んで は 月曜日 wohnt nicht mehr statt ya ne plus since'.split(
        ' ',
      ),
    ),
    { minLength: 1, maxLength: 14 },
  )
  .map((words) => words.join(' '));

it('never lets a fact replace itself, whatever its case and spaces', () => {
  fc.assert(
    fc.property(fc.oneof(sentence, fc.string({ minLength: 1 })), (text) => {
      for (const again of [text, text.toUpperCase(), text.toLowerCase(), text.replaceAll(' ', '  ')]) {
        expect(judge(text, again).verdict).toBe('coexists');
      }
    }),
    { numRuns: 500 },
  );
});

it('judges any two texts without failing', () => {
  const any = fc.oneof(
    sentence,
    fc.string({ unit: 'binary', maxLength: 600 }),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(any, any, (one, other) => {
      expect(judge(one, other).reason).not.toBe('');
    }),
    { numRuns: 500 },
  );
});

it.each([
  ['digits', '1'.repeat(600)],
  ['marks', '.,'.repeat(300)],
  ['capitals and digits', 'aB1'.repeat(200)],
  ['Han characters', '的'.repeat(600)],
  ['assignments', 'a='.repeat(300)],
  ['32 kB', 'from to '.repeat(4_000)],
])('reads and judges %s, and is not held up', (_, text) => {
  expect(judge(text, `${text} 9`).verdict).toBe('coexists');
});

it.each([
  ['moves', 'moved to '.repeat(100)],
  ['settings', 'set a '.repeat(200)],
  ['sentences', `${'It was next week. '.repeat(50)}Wrong: this morning`],
])('reads nothing of %s that are longer than a fact', (_, content) => {
  expect(readFact(content)).toEqual({ ...readFact(''), content });
});

it('splits a fact into clauses at line ends, with any white space around them', () => {
  for (const gap of ['\n', '\n- ', ' \n\n ', '\t\n* ', '\n'.repeat(500)]) {
    const older = `Default branch is master${gap}release branches are release/x.y`;
    expect(judge(older, 'Default branch is main now').verdict, JSON.stringify(gap)).toBe('conflicts');
  }
});

describe('facts that reflection compares', () => {
  it.each([
    ['The release manager of Orchard is Maya.', 'The release manager of Orchard is Ben.'],
    ['Maya lives in Lisbon', 'Maya now lives in Porto'.replace('now ', '')],
    ['The port of the staging server is 8080.', 'The port of the staging server is 9090.'],
    ['My favourite colour is blue.', 'My favourite colour is dark green.'],
    ['Deploys are frozen on Fridays.', 'Deploys are not frozen on Fridays.'],
    ['Ben likes cilantro in soup', 'Ben does not like cilantro in soup'],
    ['Ben can approve a release.', "Ben can't approve a release."],
  ])('%s / %s', (one, other) => {
    expect(judge(one, other).verdict).toBe('replaces');
    expect(judge(other, one).verdict).toBe('replaces');
  });

  it.each([
    ['Port 8080 is taken.', 'Port 8081 is taken.'],
    ['The owner of the kettle is Ada.', 'The owner of the ladder is Ada.'],
    ['Ada owns the kettle.', 'Ada owns the ladder.'],
    ['Draft 1', 'Draft 2'],
    ['Notes on chapter 3', 'Notes on chapter 4'],
    ['Ben leads the search team.', 'Ben leads the billing team.'],
    ['Maya is a mother.', 'Maya is a vegetarian.'],
    ['Maya likes tea.', 'Maya likes coffee.'],
    ['The kitchen is clean.', 'The kitchen is large.'],
    ['Maya lives in Lisbon in summer.', 'Maya lives in Porto in winter.'],
    ['The friend of Maya is Ben.', 'The friend of Maya is Ines.'],
    ['Release 2.4 went out.', 'Release 2.5 went out.'],
    ['The release manager of Orchard is Maya.', 'The release manager of Birch is Ben.'],
    ['Same words here.', 'same words here'],
  ])('not: %s / %s', (one, other) => {
    expect(judge(one, other).verdict).not.toBe('replaces');
  });
});
