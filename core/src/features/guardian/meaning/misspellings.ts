/**
 * How English words are often misspelt, by the word that is meant. A list, and no rule of letters: by any such rule `masson` is a
 * misspelt `mason`, `gunicorn` a `unicorn`, and `donot` a `donor`. Without those that may have meant two words, or are one:
 * `queit`, `throught`, `personel`, `wierd`, `realy`, `calender`, `arent`.
 */
const MISSPELLINGS = `
  the: teh hte / receive: recieve receeve / received: recieved / receives: recieves / receiving: recieving / separate: seperate
  separated: seperated / separately: seperately / separation: seperation / definitely: definately definitly definetly definatly
  definite: definate / occurred: occured / occurring: occuring / occurrence: occurence occurance / environment: enviroment enviorment
  environments: enviroments / government: goverment / believe: belive beleive / believes: belives beleives / believed: beleived
  until: untill / careful: carefull / beautiful: beautifull / helpful: helpfull / useful: usefull / grateful: greatful gratefull
  successful: succesful successfull sucessful / success: succes sucess / successfully: succesfully sucessfully
  necessary: neccessary necesary neccesary / necessarily: neccessarily / unnecessary: unneccessary unecessary
  accommodate: accomodate acommodate / accommodation: accomodation / address: adress / addresses: adresses / addressed: adressed
  because: becuase becasue becouse / tomorrow: tommorow tommorrow tomorow / beginning: begining / argument: arguement
  calendar: calandar / colleague: collegue / colleagues: collegues / committed: commited / commitment: committment
  committee: commitee comittee / completely: completly / conscience: concience / conscious: concious / consistent: consistant
  convenient: convinient / decision: decison desicion / decisions: decisons / description: discription
  different: diffrent / disappear: dissapear disapear / disappoint: dissapoint / disappointed: dissapointed
  embarrass: embarass / especially: especialy expecially / exaggerate: exagerate / excellent: excelent / existence: existance
  experience: experiance / explanation: explaination / extremely: extremly / familiar: familar / february: febuary / finally: finaly
  foreign: foriegn / friend: freind / friends: freinds / friendly: freindly / generally: generaly / guarantee: garantee gaurantee
  guidance: guidence / height: heigth / immediately: immediatly imediately / immediate: imediate
  independent: independant / information: infomation / intelligent: inteligent / interesting: intresting
  knowledge: knowlege knowledg / language: langauge / library: libary / maintenance: maintainance maintenence / medicine: medecine
  message: mesage / messages: mesages / minute: minuite / neighbour: nieghbour / noticeable: noticable / occasion: occassion
  occasionally: occassionally occasionaly / opinion: opinon / opportunity: oppurtunity / parliament: parliment / particular: particuar
  particularly: particulary / people: poeple / perhaps: perhpas / permission: permision
  pleasant: plesant / possession: posession possesion / possible: posible / prefer: prefere
  preferred: prefered / privilege: priviledge privelege / probably: probaly probly / professional: proffesional profesional
  publicly: publically / recommend: reccomend recomend reccommend
  recommendation: reccomendation / refer: reffer / referred: refered / reference: refrence / relevant: relevent / remember: remeber remmember
  repetition: repitition / responsible: responsable / responsibility: responsability / responsibilities: responsabilities / restaurant: restaraunt
  rhythm: rythm / schedule: schedual / secretary: secratary / secret: sercet / secrets: sercets / sentence: sentance
  sentences: sentances / sincerely: sincerly / somebody: sombody / something: somthing / sometimes: somtimes / speech: speach
  strength: strenght / surprise: suprise / surprised: suprised / thorough: thourough / thoroughly: thouroughly
  together: togehter togather / truly: truely / unfortunately: unfortunatly / usually: usualy / very: verry
  writing: writting / written: writen / visitors: vistors / always: allways / morning: mornning
  apologise: aplogise / apologize: appologize / confidential: confidental / customers: custommers / documentation: documantation documenation
  answer: anwser / answers: anwsers / appreciate: apreciate / approach: aproach / available: availible avaliable / behaviour: behavour
  basically: basicly / business: buisness / carefully: carefuly / certain: certian / communicate: comunicate / communication: comunication
  concern: consern / correct: corect / enough: enought / every: evrey / example: exemple
  friday: firday / general: genral / harass: harrass / interrupt: interupt / introduce: introduse / listen: lisen
  mistake: misstake / mistakes: misstakes / patience: pacience / politely: politly
  previous: previus / problem: problme / question: qestion / questions: qestions / respect: respekt / sincere: sincear
  suggest: sugest / suggestion: sugestion / their: thier / trouble: truoble / understand: undersand
  clearly: claerly / polite: polight / before: befor / during: durring / promises: promisses
  achieve: acheive / achieved: acheived / achieves: acheives / across: accross / aggressive: agressive / appearance: appearence
  assistant: assistent assisstant / category: catagory / conscientious: concientious / disagree: dissagree
  discipline: disipline / equipment: equiptment / essential: essencial / everything: everthing / honest: honnest
  hypocrisy: hypocracy / ignorance: ignorence / independence: independance / intelligence: inteligence / judgement: judgemant
  literature: litrature / mischievous: mischievious / obedience: obediance / occurs: occures / opponent: oponent
  performance: performence / permanent: permanant / persistent: persistant / personality: personallity / physical: phisical
  possibility: posibility / preference: preferance / pronunciation: pronounciation / purpose: purpouse / reasonable: reasonible
  receipt: reciept / recognise: reconise / relationship: realtionship / reliable: relyable / religious: religous
  resistance: resistence / responsibilities: responsibilites / responsibly: responsably / safety: saftey / science: sceince
  similar: similiar / specifically: specificaly / strategy: stratagy / success: succsess / technique: technicque
  therefore: therfore / threshold: threshhold / tolerance: tolerence / tomorrow: tommorrow / transparent: transparant
  trustworthy: trustworty / twelfth: twelth / uncertain: uncertian / unexpected: unexpexted / valuable: valueable
  vegetable: vegtable / vigilant: vigilent / wherever: whereever / whether: whehter / wisdom: wisdome / without: witout
  yesterday: yesturday
  first: frist / more: mroe / said: siad / without: wihtout wihout / appointment: apointment appoinment
  what: waht / that: taht / just: jsut / this: thsi / which: whcih / would: woudl / could: coudl / should: shoudl / you: yuo / know: konw knwo
  want: wnat / have: hvae ahve / like: liek / only: onyl / never: nevre / after: aftre / again: agian / doing: doign / going: goign
  make: maek / give: giev / send: sned / morning: mornig mroning / evening: evning / night: nigth / accessibility: accesibility
  access: acess / process: proccess / recommend: recomend / prefers: perfers / always: alwasy alwyas / people: peopel
  don't: dont / doesn't: doesnt / didn't: didnt / isn't: isnt / wasn't: wasnt / weren't: werent / hasn't: hasnt
  haven't: havent / hadn't: hadnt / couldn't: couldnt / shouldn't: shouldnt / wouldn't: wouldnt
`;

/** The word that a misspelt one means, both in small letters. */
export const meantBy: ReadonlyMap<string, string> = new Map(
  MISSPELLINGS.split(/[/\n]/)
    .flatMap((line) => line.split(/\s+(?=[a-z]+:)/))
    .flatMap((entry) => {
      const [meant = '', misspelt = ''] = entry.split(':').map((part) => part.trim());
      return misspelt
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word): [string, string] => [word, meant]);
    }),
);
