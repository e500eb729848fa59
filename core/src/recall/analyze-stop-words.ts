import type { Word } from './analyze-words.ts';

/** Words so frequent that a document is indexed without them, unless it has no others. */
export const functionWords = wordSet(`
  a an the and or but if of at by for with about to from in on off out up as into than then so that this these
  those is am are was were be been being do does did has have had having will would can could should may
  i me my we us our you your he him his she her it its they them their not no
  don didn doesn isn wasn aren weren won wouldn couldn shouldn haven hasn hadn ain
`);

/** Words that only make a text a question or a request; a query is looked up without them, unless it has no others. */
const questionWords = wordSet(`
  what when where who whom whose which why how there here any some all ever many much kind type kinds types
  tell say said know remember recall please show find give let get got go went going make made
  thing things something anything someone anyone just also very really
`);

/** Words that memories of agents and transcripts hold everywhere, whatever English in general does. */
export const agentWords = wordSet('user agent assistant human');

/**
 * The most frequent words of other European languages that are no English words. They are looked up, but
 * expected everywhere, lest "ist" and "von" pass for rare words in a store that holds little of a language.
 */
export const foreignFunctionWords = wordSet(`
  der das den dem des ein eine einen einem einer und oder ist sind war nicht ich wir ihr sie mich mir dich
  mein meine dein deine sein seine von vom zu zum zur mit auf fur im aus bei nach uber wie wo wer wann warum
  was welche welcher welches hat haben habe wird werden auch nur noch sich es er kann
  le les un une du des et ou est sont que qui quel quelle quels quoi quand comment ne pas je tu il elle nous
  vous ils mon ma mes ton ta tes sa ses dans sur avec pour par au aux ce cette ces se en
  el los las una y o es son cual cuando donde como por para con sin mi mis tu tus su sus del al lo que no yo
  il gli uno della delle dei di da che chi dove sono ho ha mio mia suo sua nel nella per non
  os um uma dos das nao meu minha seu sua em no na com eu ele ela
  de het een en of niet ik jij hij zij wij mijn jouw zijn naar voor met op te dat dit wat waar wie
  i na w z nie jest to czy och att det som ar inte jag du han hon vi min din pa med av till
  и в не на я что он она с как это по но мы вы у мой моя твой где когда кто
`);

/** Hiragana mostly spells endings and particles; these Han characters are the most frequent function words. */
const grammaticalGram = /^\p{sc=Hiragana}+$|[的了是我你您他她它們们这這那什么麼吗嗎呢吧在有不和也都就]/u;

/** Whether a query is looked up without the word unless it has no others. */
export function isStopWord({ text, kind }: Word): boolean {
  return kind === 'gram' ? grammaticalGram.test(text) : questionWords.has(text) || functionWords.has(text);
}

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter(Boolean));
}
