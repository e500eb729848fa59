import { analyzeDocument } from '../../../text/analyze-document.ts';
import { analyzeQuery } from '../../../text/analyze-query.ts';
import type { MeasuredEmbedder } from '../../embedding/embedder.ts';
import { rankInContext } from './context.ts';
import type { RankInput, Scored } from './input.ts';
import { scoreCandidates } from './score-candidates.ts';
import { EVEN, similarityScale } from './similarity.ts';

/** A small store of memories, with queries and the memory each should find. */
export interface SmallStore {
  readonly name: string;
  readonly memories: readonly string[];
  /** Whether the memories follow one another in one session. */
  readonly oneSession?: true;
  /** Query and the index of the memory that answers it; null when none does. */
  readonly queries: readonly (readonly [query: string, answer: number | null])[];
}

const NOW = new Date('2026-03-10T12:00:00Z');
const MINUTE_MS = 60_000;

/**
 * Recalls from a handful of memories as the engine would from a database; the id of a memory is its index.
 * @param embedder without it the words alone decide, as when the embedder is away
 */
export async function recallFrom(
  { memories, oneSession }: Pick<SmallStore, 'memories' | 'oneSession'>,
  text: string,
  embedder: MeasuredEmbedder,
  { lexicalOnly = false } = {},
): Promise<(Scored & { similarity: number })[]> {
  const query = analyzeQuery(text, NOW);
  const documents = memories.map(analyzeDocument);
  const [asked, ...vectors] = await embedder.embed([query.focus, ...memories]);
  const candidates = documents.map(
    ({ terms, length }, i): RankInput => ({
      id: String(i),
      cosine: lexicalOnly ? null : cosine(asked, vectors[i]),
      matched: query.terms.flatMap(({ term }) => {
        const frequency = terms.get(term);
        return frequency === undefined ? [] : [{ term, frequency }];
      }),
      length,
      importance: 0.5,
      time: NOW.getTime() - (memories.length - i) * MINUTE_MS,
    }),
  );
  const corpus = {
    documents: documents.length,
    averageLength: documents.reduce((sum, { length }) => sum + length, 0) / documents.length,
    documentFrequency: new Map(
      query.terms.map(({ term }) => [term, documents.filter(({ terms }) => terms.has(term)).length]),
    ),
  };
  const own = scoreCandidates(query, corpus, candidates, embedder.calibration);
  const links = memories.flatMap((_, i) =>
    [1, 2]
      .filter((distance) => oneSession && i + distance < memories.length)
      .map((distance) => ({ id: String(i), neighbourId: String(i + distance), distance })),
  );
  const ranked = rankInContext(query, own, {
    links,
    contents: new Map(memories.map((content, i) => [String(i), content])),
  });
  const similarityOf = similarityScale({ loudest: ranked[0]?.evidence ?? 0, even: EVEN });
  return ranked.map((one) => ({ ...one, similarity: similarityOf(one.evidence) }));
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, k) => sum + value * (b?.[k] ?? 0), 0) ?? 0;
}

/** Stores of an agent's life, each of one to a dozen memories, as a new tenant has them. */
export const smallStores: readonly SmallStore[] = [
  {
    name: 'preferences',
    memories: [
      'The user prefers dark mode in every editor and terminal.',
      'Maya drinks her coffee black, without sugar.',
      'The user is allergic to peanuts and shellfish.',
      'Replies should be short: bullet points rather than long paragraphs.',
      'Maya is vegetarian but eats eggs and cheese.',
      'Meetings before ten in the morning are not welcome.',
    ],
    queries: [
      ['Which theme does the user like in the editor?', 0],
      ['dark mode', 0],
      ['How does Maya take her coffee?', 1],
      ['Does the user have any food allergies?', 2],
      ['What foods is the user allergic to?', 2],
      ['How long should my replies be?', 3],
      ['Is Maya a vegetarian?', 4],
      ['Can I schedule a meeting at 9 in the morning?', 5],
      ['Which beverage does Maya enjoy?', 1],
      ['Could we serve shrimp to the user?', 2],
      ['What is the name of the database server?', null],
      ['quarterly tax filing', null],
      ["What is the user's blood type?", null],
      ['Where did Maya go to university?', null],
    ],
  },
  {
    name: 'one memory',
    memories: ['Orion is the code name of the billing rewrite.'],
    queries: [
      ['What is Orion?', 0],
      ['code name of the billing rewrite', 0],
      ['Where does the user live?', null],
      ['What did we eat in Lisbon?', null],
    ],
  },
  {
    name: 'project decisions',
    memories: [
      'Decision: we use PostgreSQL instead of MongoDB because we need transactions.',
      'The release train leaves every second Thursday.',
      'Error ERR_CONN_42 means that the connection pool is exhausted; raise pool_size in db.config.ts.',
      'The staging server runs at https://staging.acme-internal.net:8443.',
      'getUserProfile() caches results for 15 minutes.',
      'Priya owns the payment service; Tomasz owns the search service.',
      'Code reviews need two approvals before merging to main.',
      'The CI pipeline takes 12 minutes; the integration tests are the slow part.',
    ],
    queries: [
      ['Why did we choose Postgres over MongoDB?', 0],
      ['Which database do we use?', 0],
      ['When is the next release?', 1],
      ['ERR_CONN_42', 2],
      ['What does ERR_CONN_42 mean?', 2],
      ['connection pool exhausted', 2],
      ['db.config.ts', 2],
      ['staging url', 3],
      ['How long does getUserProfile cache results?', 4],
      ['user profile cache', 4],
      ['Who is responsible for the payment service?', 5],
      ['Who owns search?', 5],
      ['How many approvals does a pull request need?', 6],
      ['Why is the pipeline slow?', 7],
      ['Where can I reach the staging environment?', 3],
      ['integration tests', 7],
      ['What is my dog called?', null],
      ['Which cloud provider hosts the mobile app?', null],
      ['ERR_AUTH_7', null],
      ['How many vacation days are left?', null],
      ['favourite Italian restaurant', null],
    ],
  },
  {
    name: 'people and dates',
    memories: [
      'Lena was born on 14 March 1991 in Hamburg.',
      'Tom and Lena got married in June 2019.',
      'The dentist appointment is on 3 October at 16:30.',
      'Grandma Ruth moved to a nursing home in Bristol last winter.',
      'Their daughter Ida started kindergarten in August.',
      'The flight to Tokyo leaves on 21 April, booking code QX7R2P.',
    ],
    queries: [
      ["When is Lena's birthday?", 0],
      ['Where was Lena born?', 0],
      ['When did Tom marry?', 1],
      ['dentist', 2],
      ['When do I have to see the dentist?', 2],
      ['Where does my grandmother live now?', 3],
      ['What is their daughter called?', 4],
      ['booking code of the flight', 5],
      ['QX7R2P', 5],
      ['When do we fly to Tokyo?', 5],
      ['How old is Lena?', 0],
      ['wedding', 1],
      ['How do I restart the web server?', null],
      ["What is Tom's favourite film?", null],
      ['What kind of car does the neighbour drive?', null],
    ],
  },
  {
    name: 'conversation',
    oneSession: true,
    memories: [
      'user: I finally adopted a puppy from the shelter yesterday!',
      'assistant: Congratulations! What did you name the puppy?',
      'user: She is called Biscuit, and she already chewed my sneakers.',
      'user: Work has been stressful, my boss keeps moving deadlines.',
      'assistant: That sounds exhausting. Have you talked to your manager?',
      'user: I run five kilometres every morning to clear my head.',
      'user: My sister Carla teaches biology at a school in Porto.',
    ],
    queries: [
      ['When did the user adopt a puppy?', 0],
      ["What is the puppy's name?", 2],
      ['Biscuit', 2],
      ['Why is work stressful for the user?', 3],
      ['How far does the user run in the morning?', 5],
      ['What does Carla teach?', 6],
      ["What is the job of the user's sister?", 6],
      ["What is the name of the user's dog?", 2],
      ['exercise routine', 5],
      ['How do I configure a reverse proxy?', null],
      ['Which programming language does the user prefer?', null],
      ['The quarterly revenue forecast', null],
    ],
  },
  {
    name: 'other languages',
    memories: [
      'Anna wohnt seit 2020 in München und arbeitet bei einem Verlag.',
      'Die Datenbankverbindung wird nach 30 Sekunden Leerlauf geschlossen.',
      'El cumpleaños de Javier es el 5 de noviembre.',
      'Le mot de passe du wifi est affiché dans la cuisine.',
      '我的狗叫旺财，今年三岁。',
      '来週の火曜日に東京で会議があります。',
      'Встреча с инвестором назначена на пятницу.',
      'วันเกิดของแม่คือวันที่ 9 กันยายน',
    ],
    queries: [
      ['Wo wohnt Anna?', 0],
      ['Anna Munchen', 0],
      ['Datenbank Verbindung Leerlauf', 1],
      ['¿Cuándo es el cumpleaños de Javier?', 2],
      ['Quel est le mot de passe du wifi ?', 3],
      ['狗叫什么名字', 4],
      ['会議はいつですか', 5],
      ['встреча с инвесторами', 6],
      ['วันเกิดของแม่', 7],
      ['Wie heißt der Hund von Anna?', null],
      ['Mot de passe du serveur de base de données', null],
      ['How tall is Mount Everest?', null],
    ],
  },
  {
    name: 'typing errors and forms',
    memories: [
      'Kubernetes runs the ingestion workers on three nodes.',
      'She bought a violin and takes lessons on Saturdays.',
      'The quarterly report was written by Henrik Lindqvist.',
      'Naïve Bayes was the baseline of the spam classifier.',
    ],
    queries: [
      ['kubernets nodes', 0],
      ['How many nodes does the cluster have?', 0],
      ['When did she buy the violin?', 1],
      ['Who wrote the quarterly report?', 2],
      ['Lindquist report', 2],
      ['naive bayes', 3],
      ['Which instrument does she play?', 1],
      ['spam filter', 3],
      ['holiday plans for the summer', null],
      ['Who wrote the onboarding guide?', null],
    ],
  },
];
