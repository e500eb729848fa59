/** Words that people use for the same everyday things, in their base form; a word may stand in several groups. */
const GROUPS = `
  birthday born birth birthdate|wedding marry married marriage bride|spouse husband wife partner
  job work career profession occupation employer|home live house reside apartment address
  pet dog cat puppy kitten|dog puppy|cat kitten|sibling brother sister|parent mother father|child son daughter baby
  car vehicle drive|favorite prefer preference like love enjoy|dislike hate avoid|hobby pastime interest enjoy
  exercise workout gym fitness train training|meal food dish eat cook dinner lunch breakfast|drink beverage coffee tea
  trip travel vacation journey visit|book novel read|doctor physician clinic hospital|instrument guitar piano violin drum
  ill sick illness disease|school college university study degree|purchase buy order|begin start|end finish complete
  money cost price pay budget expensive|meeting call appointment|deadline due|picture photo image painting
  allergy allergic intolerance|plan intend|decide decision choose choice|friend buddy|boss manager
  happy glad excited|sad upset|scared afraid fear|big large huge|small little tiny|fast quick|beach ocean sea
  error bug issue failure problem crash|fix repair solve resolve|database db postgres postgresql mysql sqlite mongodb
  server host|deploy deployment release ship|configuration config setting setup|password credential secret
  environment env|repository repo|email mail|function method|directory folder|delete remove|create make build add
  language english spanish french german|country city town|money salary income|gift present|win award prize
`;

/** A word's everyday synonyms, without itself. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = bySynonym();

function bySynonym(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of GROUPS.split(/[|\n]/)) {
    const words = group.split(/\s+/).filter(Boolean);
    for (const word of words) {
      const others = found.get(word) ?? new Set();
      for (const other of words) if (other !== word) others.add(other);
      found.set(word, others);
    }
  }
  return found;
}
