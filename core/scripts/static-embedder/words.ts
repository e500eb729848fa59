import { readFileSync } from 'node:fs';

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

/** The words of the table, most frequent first: plain a-z words. Other words are split into such ones or hashed at run time. */
export function readWords(embeddingsOfWink: string): string[] {
  const { words: all } = JSON.parse(readFileSync(embeddingsOfWink, 'utf8')) as {
    readonly words: readonly string[];
  };
  const plain = all.filter((word) => /^[a-z]{1,24}$/.test(word));
  const known = new Set(plain);
  const frequent = plain.slice(0, FREQUENT_WORDS);
  const chosen = new Set(frequent);
  const everyday = EVERYDAY_WORDS.filter((word) => known.has(word) && !chosen.has(word));
  return [...frequent, ...new Set(everyday)];
}
