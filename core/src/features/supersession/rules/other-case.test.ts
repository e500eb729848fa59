import { expect, it } from 'vitest';
import { readFact } from '../fact/read-fact.ts';
import { judgeFacts } from './judge.ts';

const verdictOf = (older: string, newer: string) => judgeFacts(readFact(older), readFact(newer)).verdict;

it.each([
  ['Log retention is 30 days.', 'Audit log retention is now 365 days.'],
  ['Rent is 900 euros.', 'Garage rent was raised to 120 euros.'],
  ['Die Miete beträgt 900 Euro.', 'Die Miete der Garage beträgt jetzt 120 Euro.'],
  ['Un café cuesta 2 euros.', 'Un café grande cuesta ahora 3 euros.'],
  ['Audit log retention is 365 days.', 'Log retention is now 30 days.'],
  ['The loan period is 21 days.', 'The loan period for DVDs is now 7 days.'],
  ['Shipping costs 5 euros.', 'Shipping to Norway now costs 12 euros.'],
  ['Sprint 12 ends on November 6.', 'Sprint 13 ends on November 20.'],
  ['Phase 1 ends in March.', 'Phase 2 ends in June.'],
  ['Room 101 seats 8 people.', 'Room 102 now seats 12 people.'],
  ['Gate 4 opens at 8:00.', 'Gate 5 now opens at 9:00.'],
  ['Tisch 4 hat 6 Plätze.', 'Tisch 5 hat jetzt 8 Plätze.'],
  ['Ines owns the ledger module.', 'Ines took over the payments module.'],
  ['Priya leads the mobile team.', 'Priya now leads the web team.'],
  ["Daan is Leo's coach.", "Daan is now Maja's coach."],
  ['Anna reports to Bert.', 'Bert now reports to Carla.'],
  ['Maya mentors Lena.', 'Lena now mentors Omar.'],
  ['The gateway forwards to the API.', 'The API now forwards to the worker.'],
  ["Pia's passport is Swedish.", "Pia's passport number is X123456."],
  ["Nora's phone is a Pixel 7.", "Nora's phone number is +31 6 5550 1234."],
  ['Montags liefert Pablo.', 'Dienstags liefert jetzt Tom.'],
  ['On Monday the special costs 8 euros.', 'On Tuesday the special now costs 9 euros.'],
  ['Nora drinks tea in the morning.', 'Nora now drinks wine in the evening.'],
  ['The speaker is Ana this week.', 'The speaker is Bo next week.'],
  ['Nora takes sertraline.', 'Nora now takes ibuprofen for her back.'],
  ['Peg uses eye drops for her glaucoma.', 'Peg now uses a cream for her eczema.'],
  ['Wir verkaufen Brot.', 'Wir verkaufen jetzt Kuchen.'],
  ['Lena works on the invoice export.', 'Lena now works on the refund flow.'],
  ['Nora lives in Utrecht.', "Nora's family moved to Amersfoort."],
  // Of what it says in several clauses only one has changed.
  [
    'Default branch is master, release branches are release/x.y',
    'Default branch was renamed from master to main.',
  ],
  [
    '- default branch: master\n- feature branches: feat/<ticket>',
    'Default branch was renamed from master to main.',
  ],
  ['Nora has a cat called Misu and drives a Volvo V60.', 'Nora sold the Volvo and now drives a Polestar 2.'],
])('what is told of another does not end it: %s / %s', (older, newer) => {
  expect(verdictOf(older, newer)).not.toBe('replaces');
});

it.each([
  ['Log retention is 30 days.', 'Log retention is now 365 days.'],
  ['Sprint 12 ends on November 6.', 'Sprint 12 now ends on November 13.'],
  ['Room 101 seats 8 people.', 'Room 101 now seats 12 people.'],
  ['Anna reports to Bert.', 'Anna now reports to Carla.'],
  ['Lena maintains harbor-web.', 'Tom took over harbor-web from Lena.'],
  ['Für die Buchhaltung ist Frau Krüger zuständig.', 'Für die Buchhaltung ist jetzt Herr Lorenz zuständig.'],
  ['Nora takes 50 mg sertraline every morning.', 'Nora takes 75 mg sertraline every morning.'],
  ['Backup runs at 2:00 every night.', 'Backup runs at 4:00 every night now.'],
  ['Morning standup is at 9:00.', 'Morning standup is now at 9:30.'],
  ['Ingrid lives in Uppsala.', 'Ingrid moved to Stockholm to live near her sister.'],
  ['Nora lives in Utrecht.', 'Nora and her family moved to Amersfoort.'],
  ['Python 3.11 is required.', 'We bumped Python to 3.12.'],
  ['The book club meets at the library.', 'The book club now meets at the café.'],
  ['La reunión semanal es los lunes a las 10', 'La reunión semanal pasa a los miércoles a las 12'],
])('the same of the same ends it: %s / %s', (older, newer) => {
  expect(verdictOf(older, newer)).toBe('replaces');
});

it.each([
  ['Das Kassensystem ist Orderbird.', 'Orderbird wurde durch SumUp ersetzt.'],
  ['Nora is a vegetarian.', 'Nora is a pescetarian now.'],
  ['The festival is on October 18.', 'The festival was called off.'],
  ['Die Reise nach Lima ist im November.', 'Die Reise nach Lima wurde abgesagt.'],
  ['El viaje a Lima es en noviembre.', 'El viaje a Lima se canceló.'],
  ['Le voyage à Lima est en novembre.', 'Le voyage à Lima est annulé.'],
])('at least doubts it: %s / %s', (older, newer) => {
  expect(verdictOf(older, newer)).not.toBe('coexists');
});
