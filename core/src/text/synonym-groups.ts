import type { Language } from './language.ts';

/**
 * Groups of words that people use for the same everyday things, and those that facts about a thing are told by: where somebody
 * lives by "moved". A word may stand in several groups, and stands there for all words of its stem. `unspaced` holds Chinese,
 * Japanese and Korean, which are looked up by pairs of characters: a longer word stands there by its last two.
 */
export const SYNONYMS: Partial<Record<Language | 'unspaced', string>> = {
  en: `
    birthday born birth birthdate|wedding marry married marriage bride|spouse husband wife partner
    job work career profession occupation employer hire join|job title role position|staff employ employee people team
    home live house reside apartment flat address move relocate|city live move based|country live move
    pet dog cat puppy kitten|dog puppy|cat kitten|sibling brother sister|parent mother father|child son daughter baby
    car vehicle drive van|favorite prefer preference like love enjoy|dislike hate avoid|hobby pastime interest enjoy play
    exercise workout gym fitness train training|meal food dish eat cook dinner lunch breakfast|drink beverage coffee tea
    diet eat food vegetarian vegan|injury injured hurt pain sore|glasses eyesight|medication medicine drug pill
    trip travel vacation journey visit|book novel read|doctor physician clinic hospital|instrument guitar piano violin drum
    ill sick illness disease|school college university study degree|subject teach teacher class|purchase buy order
    begin start|end finish complete|money cost price pay budget expensive|price cost charge fee rate|salary earn income wage
    meeting call appointment|appointment booking reservation|deadline due deliver delivery|picture photo image painting
    allergy allergic intolerance|plan intend|plan subscription subscribe|decide decision choose choice|friend buddy
    manager boss lead head charge|head lead charge|boss manager|number phone call reach|contact reach call email phone
    happy glad excited|sad upset|scared afraid fear|big large huge|small little tiny|fast quick|beach ocean sea
    insurance insure insurer policy|bank account|supplier supply deliver provide vendor|client customer
    open close hour|shut close|address street road located|location located sit|office floor building sit
    receptionist reception desk|payment pay card cash|website site domain|owner own belong|authorised behalf
    laptop computer notebook macbook pc|watch wear|monitor screen display|race run marathon
    error bug issue failure problem crash|fix repair solve resolve|database db postgres postgresql mysql sqlite mongodb
    server host|deploy deployment release ship|configuration config setting setup|password credential secret
    environment env|repository repo|email mail|function method|directory folder|delete remove|create make build add
    framework library build write|language write|language speak learn|language english spanish french german
    broker queue|cache redis memcached|login sign auth authentication|cloud host hosting|frontend interface ui
    pager page call|incident outage|identifier id|limit quota cap maximum|tool software use|record file
    city town|money salary income|gift present|win award prize
    age old year birthday|nationality citizen passport born|origin born native|religion church mosque temple faith|height tall|weight weigh
    commute bus train bike subway|music listen song band concert|movie watch series|game play|team support fan club|smoke cigarette
    engaged fiance fiancee engagement|divorce separated|pregnant expect baby|roommate flatmate share|neighbour door|landlord rent lease
    rent lease monthly|loan mortgage|tax accountant|lawyer attorney solicitor|licence license permit|emergency contact|therapist therapy
    carrier provider operator network contract|provider supplier vendor|newspaper subscribe read|volunteer help|choir sing|sleep bed wake
    breakfast lunch dinner|allergen allergic|illness diabetes asthma|treatment therapy medication|grandparent grandmother grandfather
    grandchild granddaughter grandson|cousin aunt uncle niece nephew|clothes wear size|shoe size|seat capacity|nickname call
    license mit apache|editor ide vim vscode|container docker kubernetes|region zone|backup snapshot|retention keep|timeout wait
    port listen|branch main master|cadence weekly monthly every|sprint iteration|standup stand-up daily|channel slack chat|wiki docs documentation confluence
    ticket tracker jira issue|metric monitoring dashboard grafana|analytics tracking|budget cost spend|stakeholder sponsor client
    status progress state|priority urgent important|traffic visitor request|storage bucket disk|queue job worker|test suite run
    parking park lot|menu dish serve|refund return|warranty guarantee|discount off|accountant bookkeeper tax|till terminal card
    wifi password network|key lock|founder found start|invoice bill billing|freight ship courier|warehouse store stock|brand make model
    wood material|subscription plan tier|degree major graduate|exam test|course class lesson|coach trainer|tournament match league|payday salary paid payroll wage|doctor gp physician surgery practice|ill sick unwell doctor gp|dentist teeth tooth orthodontist|optician glasses eye lens
    vet veterinarian|vaccination vaccine shot jab booster vaccinated|surgery operation operated|prescription medication tablet pill dose|pill tablet capsule
    medication ibuprofen insulin antibiotic inhaler|childcare nursery daycare kindergarten nanny babysitter creche|sitter babysitter nanny
    alcohol wine beer drink sober|teetotal sober alcohol drink|coeliac celiac gluten|nut peanut hazelnut almond|mother mum mom|father dad|parent mum mom dad
    grandma granny grandmother nan|grandpa granddad grandfather|child kid|eldest oldest firstborn|youngest baby|colleague coworker teammate
    instrument cello flute trumpet saxophone ukulele drums|hate stand loathe detest|annoy bother irritate|phobia afraid scared fear|spicy hot chilli
    energy electricity gas power utility|heating boiler radiator plumber|plumber leak pipe tap|electrician wiring socket|broadband internet wifi router
    bin rubbish trash garbage recycling waste|spare key|passport visa|plate registration|tyre tire wheel|garage mechanic repair|petrol diesel fuel|bicycle bike cycle
    flight fly plane airline|hotel hostel airbnb accommodation stay|booking reservation confirmation|luggage suitcase bag|aisle window seat|camping tent campsite
    skiing ski chalet snowboard|swim swimming pool|jog jogging run|football soccer|sport football tennis swim climb hockey basketball cycling
    hobby knit paint garden climb sing photography|haircut hair barber hairdresser|sunscreen cream sun|shift roster rota|promotion promoted raise
    resign resigned quit notice|interview applied apply|retire retired retirement pension|savings save saving|invest investment shares stocks fund
    owe owed debt lend lent borrow borrowed|deposit paid advance|switch change contract|anniversary wedding married|guest visitor visit staying|dream hope wish become
    goal aim target resolution|prepare preparing train training revise|genre author novel scifi|podcast episode listen|recipe cook bake|dessert cake sweet
    anxiety panic worry nervous|depressed depression sad|headache migraine pain|fever flu cold sick|cough throat cold|backache back spine pain|pregnancy due baby
    broken fracture fractured cast|wheelchair crutches|hearing deaf|blind vision eyesight|bloodtype blood type|pressure hypertension|cholesterol heart stent|rash eczema skin
    sneeze hayfever pollen|swollen sting bee wasp|epipen allergy allergic|diet keto calories weight|fasting ramadan fast|vegetarian meat|pescatarian fish seafood|halal kosher pork
    lactose milk dairy cheese|egg eggs|shellfish shrimp prawn seafood|snack crisps chocolate|bread bakery toast|cook cooking chef kitchen|supermarket groceries shopping grocery shop
    takeaway delivery pizza order|bar pub drinks|cafe coffee|restaurant table reservation dinner|wine bottle cellar|grill barbecue bbq
    sofa couch|fridge freezer refrigerator|oven stove cooker|washing washer laundry machine|dishwasher dishes|vacuum hoover clean|cleaner cleaning clean|ladder shed garage tools
    attic loft basement cellar|balcony terrace patio garden|lawn mow grass garden|plant water flower|roof leak gutter|paint colour wall|carpet floor|curtain blind|bedroom room
    thermostat heating temperature|solar panel panels|smoke alarm detector|alarm code burglar|doorbell door intercom|letterbox mailbox post|parcel package delivery|postcode zip
    tram metro subway train|ferry boat ship|cab taxi uber|carpool lift ride|parking garage space|drive driving licence|accident crash collision|fine ticket speeding|car mileage
    trip weekend getaway|beach seaside coast|mountain hike hiking trail|cruise ship|customs border visa|currency exchange money|jetlag timezone|souvenir gift|airport terminal gate
    seat row|luggage allowance kilo|travel insurance|itinerary schedule plan|museum exhibition gallery|theatre play show|cinema movie film|festival concert|ticket entry
    holiday vacation break leave|leave absence sabbatical parental|overtime hours|probation trial|contract notice|freelance self-employed contractor|salary bonus|pension retirement
    colleague team|mentor coach|intern trainee apprentice|recruiter hiring|reference referral|badge access card|desk seat office|remote home hybrid|commute travel|uniform dress
    presentation slides talk pitch|report summary|spreadsheet excel sheet|minutes notes|agenda topics|deadline cutoff|delay postponed late|cancel cancelled|reschedule moved postponed
    homework assignment|grade mark score|scholarship grant bursary|tuition fees|professor lecturer|lecture class|semester term|library books|classmate classroom|playground park
    bully teased|tutor lessons|daughter girl|son boy|toddler baby infant|teenager teen|stepfather stepdad|stepmother stepmum|godfather godmother godparent|mother-in-law inlaws
    twins twin|nephew niece|widow widower died|died passed death funeral|grave cemetery|adopted adoption|fiance engaged|boyfriend girlfriend partner dating|ex former|best closest
    nickname call called|surname last maiden|middle name|pronouns they|handwriting left-handed lefthanded|glasses contacts|bald hair beard|tall height
    birthday party|christmas xmas holidays|wedding venue|bridesmaid groomsman|present wishlist wish|invitation invite rsvp|guestlist guests
    guitar band music|singer sing voice|composer classical|album record vinyl|genre style|painting paint artist|photo camera photography|pottery ceramics|knitting knit wool|sewing sew
    chess boardgame game|puzzle crossword|video games console playstation xbox nintendo|collect collection stamps coins|fishing fish|sailing sail boat|riding horse
    dancing dance ballet salsa|martial karate judo|tennis racket|cycling bike|marathon half run|medal won
    gym membership|yoga pilates|physio physiotherapist therapy|meditation mindfulness|sauna spa|steps walk walking|sleep insomnia
    bank iban account|card credit debit|pin code|password passphrase|two-factor otp authenticator|insurance claim|mortgage interest|loan debt|rent deposit|cash withdraw
    landlord tenant|estate agent realtor|lease contract|utilities bills|council tax|invoice due|refund money back|receipt proof|budget spend|salary net|donate charity donation
    religion pray|church mass|politics vote party election|union member|volunteer charity|climate environment
    star sign zodiac|proud achievement|regret mistake|motto value|strength good|weakness bad|habit routine|morning early|evening night late
    dog walk|cat litter|puppy training|fish aquarium tank|rabbit hutch|hamster cage|parrot bird|horse stable|kennel boarding|feed food
    bedtime sleep|thesis dissertation phd|headteacher teacher school|pickup pick collect|afterschool school club|upset worried stressed anxious`,
  de: `
    geburtstag geboren|hochzeit geheiratet verheiratet|ehemann ehefrau mann frau partner partnerin
    arbeit arbeitet job beruf beruflich arbeitgeber angestellt firma tätig stelle|chef chefin leitet leiter leiterin vorgesetzte
    wohnt wohnen wohnort lebt zuhause wohnung adresse umgezogen umzug gezogen|stadt wohnt lebt umgezogen gezogen
    haustier hund katze kater hase|hund dackel labrador welpe|geschwister bruder schwester|eltern mutter vater
    kind sohn tochter baby|auto wagen fährt fahrzeug|hobby freizeit spielt gern sport verein|lieblings mag liebt gern
    essen isst ernährung vegetarisch vegan vegetarier veganerin mahlzeit|trinkt trinken getränk kaffee tee
    allergie allergisch unverträglichkeit|krank krankheit beschwerden|arzt ärztin hausarzt praxis klinik krankenhaus
    medikament tablette nimmt|reise urlaub reist fahrt|buch liest gelesen roman|schule uni universität studiert studium
    unterrichtet lehrer lehrerin fach|lernt lernen kurs sprache|sprache spricht lernt|instrument gitarre klavier geige
    anfang beginnt startet beginn|ende endet fertig schluss|preis kostet kosten betrag gebühr|gehalt verdient lohn einkommen
    termin besprechung treffen|frist abgabe abliefern fertig termin|nummer telefon erreichbar erreichen anrufen telefonisch
    mail adresse|versicherung versichert krankenkasse|bank konto girokonto|lieferant liefert beliefert|kunde auftraggeber
    geöffnet Öffnungszeit öffnet offen schliesst geschlossen|zu geschlossen schliesst|mitarbeiter angestellte team personal
    inhaber besitzer gehört|computer rechner laptop notebook|handy telefon smartphone|Größe groß
    fehler problem störung ausfall|behoben repariert gelöst|datenbank postgres mysql sqlite mongodb|server host gehostet
    framework gebaut geschrieben bibliothek|programmiersprache geschrieben|frontend oberfläche|broker warteschlange nachrichtenschlange
    cache zwischenspeicher|anmeldung login einloggen anmelden|passwort kennwort zugangsdaten|repository quellcode code repo
    geschenk schenkt|stundenlohn stunde|zuständig verantwortlich betreut kümmert|name heißt namens genannt
    version fassung release|stockwerk etage stock buero sitzt
    alter jahre alt|nationalität staatsangehörigkeit pass|herkunft stammt geboren kommt|religion kirche glauben|größe groß|gewicht wiegt
    arbeitsweg bus bahn rad pendelt|musik hört band konzert lied|film schaut serie|verein fan mannschaft|raucht zigaretten
    verlobt verlobte verlobter|getrennt geschieden|schwanger erwartet baby|mitbewohner mitbewohnerin wg|nachbar nachbarin|vermieter miete mietet
    miete monatlich warm|kredit darlehen|steuer steuerberater steuerberaterin|anwalt anwältin kanzlei|führerschein ausweis|notfall kontakt
    anbieter vertrag tarif netz|lieferant großhändler|zeitung abonniert liest|ehrenamt hilft|chor singt|schläft bett steht
    frühstück mittagessen abendessen|diabetes krankheit asthma|behandlung therapie|großeltern oma opa großmutter großvater|enkel enkelin
    cousin cousine tante onkel nichte neffe|kleidung trägt größe|schuhe schuhgröße|plätze sitzplätze|spitzname nennen
    editor vim|container docker kubernetes|region standort|sicherung backup|port lauscht hört|zweig branch|rhythmus wöchentlich monatlich
    standort adresse straße|kanal slack chat|wiki dokumentation confluence|ticket jira|überwachung monitoring grafana|budget kosten ausgaben
    parkplatz parken|karte speise gericht|rückgabe umtausch|garantie gewährleistung|rabatt nachlass|kasse terminal kartenzahlung zahlung
    bezahlen zahlung karte bar|wlan passwort|gründer gegründet gründerin|rechnung rechnungen|versand verschickt paket
    lager bestand|marke modell hersteller|kapitel stand fortschritt|abo tarif abonnement|prüfung klausur|trainer trainerin training
    entwickelt geschrieben programmiert|besprechung meeting standup runde|leiten leitet führt chef|bereitschaft notdienst pager
    zahltag gehalt lohn|hausarzt arzt ärztin praxis|krank arzt|zahnarzt zahnärztin zähne zahn|optiker brille augen sehstärke|tierarzt tierärztin
    impfung geimpft impfen spritze|operation operiert op|rezept medikament tablette pille dosis|kita kindergarten krippe tagesmutter babysitter kinderbetreuung
    alkohol wein bier trinkt nüchtern|nüsse erdnuss haselnuss allergisch|zöliakie gluten|laktose milch käse|mama mutter|papa vater|ältester älteste erstgeborener
    jüngster jüngste kleinster|kollege kollegin mitarbeiter|cello flöte trompete schlagzeug instrument|hasst verabscheut mag|nervt stört ärgert|angst fürchtet phobie|scharf chili
    strom gas energie stromanbieter|heizung heizkörper therme warmwasser|klempner installateur rohr leitung|elektriker steckdose|internet router wlan anschluss
    müll tonne abfuhr abfall|ersatzschlüssel schlüssel|reisepass pass visum|kennzeichen nummernschild auto|reifen winterreifen|werkstatt mechaniker reparatur|benzin diesel tanken
    flug flugzeug fliegt airline|hotel unterkunft pension ferienwohnung|buchung reservierung bestätigung|koffer gepäck tasche|fensterplatz gangplatz sitzplatz|zelten zelt camping
    ski skifahren piste hütte|schwimmen freibad hallenbad|joggen laufen läuft|fußball fussball kickt|klettern bouldern|friseur haare haarschnitt|schicht dienstplan
    befördert beförderung aufstieg|gekündigt kündigung kündigen|bewerbung beworben vorstellungsgespräch|rente ruhestand pension|gespart sparen ersparnisse|aktien fonds anlage
    schuldet schulden geliehen verliehen|anzahlung angezahlt|wechseln wechsel vertrag|hochzeitstag jubiläum|besuch gäste gast|traum wunsch werden|ziel vorsatz|vorbereitung trainiert übt
    rezept kochen backen|kuchen nachtisch süßes|doktorarbeit promotion dissertation|fieber grippe erkältung|kopfschmerzen migräne|rücken bandscheibe schmerzen|gebrochen bruch gips
    blutgruppe blut|blutdruck bluthochdruck|herz stent|heuschnupfen pollen|biene wespe stich|diät abnehmen kalorien|einkaufen supermarkt lebensmittel|lieferdienst pizza bestellen
    kneipe bar|restaurant tisch reservierung|sofa couch|kühlschrank gefriertruhe|herd backofen ofen|waschmaschine wäsche|putzfrau reinigung putzt putzen|dachboden speicher keller
    balkon terrasse garten|rasen mähen|pflanzen gießen blumen|dach undicht|streichen farbe wand|paket lieferung päckchen|straßenbahn tram ubahn|unfall zusammenstoß|strafzettel bußgeld
    strand meer küste|berge wandern wanderung|ausflug wochenende|versicherung schaden|kino film|konzert festival|museum ausstellung|theater stück|überstunden stunden
    selbstständig freiberuflich|praktikant praktikantin azubi ausbildung|homeoffice büro remote|noten zeugnis|stipendium förderung|vorlesung professorin professor
    zwillinge zwilling|gestorben tod verstorben beerdigung|adoptiert adoption|freundin freund beziehung|spitzname rufname|nachname geburtsname|weihnachten feiertage|einladung eingeladen feier
    gitarre band|singen gesang|malen malt bild|foto kamera fotografie|stricken strickt nähen|schach brettspiel|konsole videospiele|segeln boot|reiten pferd|tanzen tanz ballett
    judo karate kampfsport|fitnessstudio gym training|physio physiotherapie|meditation achtsamkeit|pin code|miete kaution|mieter vermieterin|erstattung zurück geld|beleg quittung|spende spendet`,
  es: `
    cumpleaños nació nacimiento|boda casado casada matrimonio|marido mujer esposa esposo pareja
    trabajo trabaja empleo empresa profesión dedica puesto contratado|jefe jefa dirige encargado encargada responsable lidera
    vive vivir casa piso domicilio dirección mudado muda mudó reside|ciudad vive mudado mudó reside
    mascota perro perra gato gata|hermano hermana|padre madre padres|hijo hija bebé
    coche carro vehículo conduce auto|afición hobby juega deporte|favorito favorita prefiere gusta encanta
    comida come comer dieta vegetariano vegetariana vegano vegana restricción celíaco celíaca|bebé bebida café té
    alergia alérgico alérgica intolerancia intolerante|enfermo enfermedad dolor lesión|médico doctor doctora clínica hospital
    medicamento medicina toma|viaje viaja vacaciones visita|libro lee novela|escuela universidad estudia carrera colegio
    idioma lengua habla estudia aprende aprendiendo|profesor profesora enseña clase asignatura|instrumento guitarra piano violin
    empieza comienza inicio|termina acaba fin|precio cuesta coste costo tarifa cobra vale|sueldo salario gana cobra
    reunión cita llamada|cita reserva pedir|plazo entrega fecha límite|número teléfono llamar móvil contacto contactar
    compañía operadora operador|seguro aseguradora póliza|banco cuenta|proveedor suministra trae provee reparte|cliente clienta
    horario abre abierto cierra cerrado atiende|cerrado cierra|dirección calle ubicado situado|empleado empleados plantilla personal equipo
    dueño dueña propietario|ordenador computadora portátil|móvil celular teléfono
    error fallo problema avería|arreglado reparado resuelto|base postgres mysql sqlite mongodb|servidor alojado aloja
    lenguaje escrita escrito programado hecha hecho|repositorio código|prueba test|petición llamada solicitud
    contraseña clave acceso|nombre llama llaman llamado|regalo regala|taller garaje|recambio pieza repuesto
    edad años cumple|nacionalidad ciudadano pasaporte|origen nació viene|religión iglesia|altura mide estatura|peso pesa
    transporte autobús metro tren bici|música escucha banda concierto canción|película serie ve|equipo club afición|fuma tabaco
    prometido prometida compromiso|divorciado divorciada separado separada|embarazada espera bebé|compañero compañera|vecino vecina|casero alquiler alquila
    novio novia pareja|préstamo hipoteca|impuestos gestor gestora asesor asesoría|abogado abogada bufete|carné permiso licencia|emergencia contacto
    operador compañía contrato tarifa|distribuidor proveedor|periódico suscrito lee|voluntario voluntaria|coro canta|duerme cama levanta
    desayuno almuerzo cena|diabetes asma enfermedad|tratamiento terapia|abuelo abuela abuelos|nieto nieta|primo prima tío tía sobrino sobrina
    ropa talla|zapatos talla número|mote apodo llaman|editor vim|contenedor docker kubernetes|región zona|copia respaldo backup
    puerto escucha responde|rama branch|frecuencia semanal mensual cada|canal slack chat|wiki documentación|incidencia ticket jira
    monitorización grafana|presupuesto coste gasto|aparcamiento aparcar|carta plato menú|devolución devolver|descuento rebaja
    pago pagar tarjeta efectivo bizum|wifi contraseña|fundador fundadora fundó|factura facturas|envío envía paquete|almacén guarda existencias
    marca modelo|plan suscripción tarifa|examen prueba|entrenador entrenadora|aloja alojado servidor nube|caché memoria|cola mensajes broker
    guardia turno|límite máximo tope|versión actualizado|reunión diaria|correo email mail|mudanza mudado mudó vive
    nómina sueldo paga cobra|médico cabecera consulta|enfermo médico|dentista dientes muela|óptica gafas vista ojos|veterinario veterinaria mascota|vacuna vacunado vacunar
    operación operado cirugía|receta medicamento pastilla dosis|guardería niñera canguro|alcohol vino cerveza bebe|frutos nueces cacahuete alérgico|gluten celíaco|lactosa leche queso|mamá madre|papá padre
    mayor primogénito|menor pequeño|compañero colega|violonchelo flauta trompeta batería instrumento|odia detesta soporta|molesta irrita|miedo fobia teme|picante chile
    luz electricidad gas energía|calefacción caldera radiador|fontanero fuga tubería grifo|electricista enchufe|internet router wifi fibra|basura reciclaje|llave repuesto copia|pasaporte visado
    matrícula coche|neumático rueda|taller mecánico reparación|gasolina diésel|vuelo avión vuela aerolínea|hotel hostal alojamiento|reserva confirmación localizador|maleta equipaje|ventanilla pasillo asiento
    esquí esquiar nieve|nadar natación piscina|correr corre maratón|fútbol futbol|escalada montaña|peluquería pelo corte|turno horario|ascenso ascendido|dimitió renuncia dejar
    entrevista candidatura|jubilación jubilado pensión|ahorros ahorra ahorrar|acciones invierte inversión|debe deuda prestado prestó|anticipo señal depósito|aniversario boda|invitado visita huésped|sueño deseo quiere
    objetivo meta propósito|prepara entrena preparando|receta cocinar hornear|postre dulce tarta|tesis doctorado|fiebre gripe resfriado|migraña cabeza dolor|espalda dolor|roto fractura yeso
    sangre grupo|tensión hipertensión|polen rinitis|abeja avispa picadura|dieta calorías peso|supermercado compra|restaurante mesa reserva|nevera frigorífico congelador|horno cocina
    lavadora ropa|limpieza limpia|desván trastero sótano|balcón terraza jardín|plantas regar flores|tejado gotera|pintar pared color|paquete envío entrega|tranvía metro|accidente choque
    playa mar costa|excursión senderismo montaña|cine película|concierto festival|museo exposición|teatro obra|autónomo freelance|prácticas becario|teletrabajo remoto oficina|deberes tarea|notas calificación
    beca ayuda|gemelos gemelo mellizos|murió muerte funeral|adoptado adopción|navidad fiestas|invitación fiesta|cantar canta|pintar pinta cuadro|foto cámara|tejer coser|ajedrez tablero|videojuegos consola
    pesca pescar|vela barco|caballo montar|bailar baile|gimnasio entrena|fisioterapia fisio|pin código|fianza alquiler|inquilino casero|reembolso devolución|recibo factura|donación dona`,
  fr: `
    anniversaire né née naissance|mariage marié mariée|mari femme épouse époux conjoint
    travail travaille emploi métier profession employeur poste embauché|chef patron patronne dirige responsable directrice
    habite vit maison appartement adresse déménagé reside logement|ville habite vit déménagé
    animal chien chienne chat chatte|frère sœur|parent mère père|enfant fils fille bébé
    voiture conduit véhicule auto|loisir hobby joue sport|préfère aime adore favori
    manger mange régime végétarien végétarienne vegan nourriture repas|boit boisson café thé
    allergie allergique intolérance intolérant|malade maladie douleur blessure|médecin docteur clinique hôpital
    médicament prend traitement|voyage vacances visite|livre lit roman|école université étudie études
    langue parle apprend|enseigne professeur prof matière|instrument guitare piano violon
    commence début démarre|finit termine fin|prix coûte coût tarif facture|salaire gagne
    réunion rendez appel|délai échéance livrer livraison|numéro téléphone appeler joindre contacter portable
    assurance assuré mutuelle|banque compte|fournisseur fournit livre|client cliente
    horaire ouvre ouvert ferme fermeture|employé employés équipe personnel|propriétaire appartient
    ordinateur portable|erreur panne problème bug|base postgres mysql sqlite mongodb|serveur hébergé
    écrit écrite langage développé|dépôt code|passe identifiant|nom appelle nommé|cadeau offre
    âge ans anniversaire|nationalité citoyen passeport|origine né vient|religion église|taille mesure|poids pèse
    transport bus métro train vélo|musique écoute groupe concert|film série regarde|équipe club supporter|fume cigarettes
    fiancé fiancée|divorcé divorcée séparé|enceinte attend bébé|colocataire colocation|voisin voisine|propriétaire loyer loue bail
    copain copine conjoint compagnon compagne|prêt crédit|impôts comptable|avocat avocate|urgence contact|opérateur forfait contrat réseau
    fournisseur grossiste|journal abonné lit|bénévole aide|chorale chante|dort lit lève|diabète asthme|traitement thérapie
    grand-mère grand-père|cousin cousine tante oncle nièce neveu|vêtements taille|chaussures pointure|surnom appelle|éditeur vim
    conteneur docker kubernetes|région zone|sauvegarde backup|port écoute|fréquence hebdomadaire mensuel chaque|canal slack chat
    wiki documentation|ticket jira|surveillance grafana|budget coût dépense|parking garer|carte plat menu|retour remboursement
    remise réduction|paiement payer carte espèces|wifi passe|fondateur fondatrice fondé|facture factures|envoi colis|entrepôt stock
    marque modèle|abonnement forfait|examen épreuve|entraîneur coach|rue adresse situé|cache mémoire|file messages broker|astreinte garde
    limite maximum plafond|déménagement déménagé habite
    paie paye salaire|médecin généraliste cabinet|malade médecin|dentiste dents dent|opticien lunettes vue yeux|vétérinaire véto|vaccin vacciné vacciner piqûre|opération opéré chirurgie
    ordonnance médicament comprimé dose|crèche nounou garderie babysitter|alcool vin bière boit sobre|noix arachide noisette allergique|gluten coeliaque|lactose lait fromage|maman mère|papa père|aîné aînée premier
    cadet cadette benjamin|collègue équipe|violoncelle flûte trompette batterie instrument|déteste horreur supporte|énerve agace|peur phobie craint|épicé piment|électricité gaz énergie fournisseur
    chauffage chaudière radiateur|plombier fuite tuyau robinet|électricien prise|internet box wifi fibre|poubelle déchets tri|double clé clés|passeport visa|immatriculation plaque voiture|pneu pneus roue
    garage mécanicien réparation|essence diesel carburant|vol avion compagnie|hôtel logement gîte|réservation confirmation|valise bagage|hublot couloir siège place|camping tente|ski piste chalet
    natation nager piscine|courir course footing marathon|foot football|escalade grimpe|coiffeur cheveux coupe|planning horaire équipe|promotion promu|démission démissionné quitter|entretien candidature
    retraite pension|épargne économies|actions bourse investit|doit dette prêté emprunté|acompte arrhes|noces anniversaire mariage|invité visite|rêve souhaite devenir|objectif but résolution|prépare entraîne
    recette cuisiner|dessert gâteau sucré|thèse doctorat|fièvre grippe rhume|migraine tête|dos mal|cassé fracture plâtre|sang groupe|tension hypertension|coeur stent|pollen foins|abeille guêpe piqûre
    régime calories poids|courses supermarché|restaurant table réservation|frigo réfrigérateur congélateur|four cuisine|linge machine laver|ménage nettoyage|grenier cave|balcon terrasse jardin
    pelouse tondre|plantes arroser fleurs|toit fuite|peindre peinture mur|colis livraison paquet|tram métro|accident collision|amende contravention|plage mer côte|randonnée montagne|cinéma film|concert festival
    musée exposition|théâtre pièce|indépendant freelance|stagiaire stage apprenti|télétravail bureau|notes bulletin|jumeaux jumeau jumelles|mort décédé obsèques|adopté adoption|nom famille
    noël fêtes|invitation fête|chanter chante|peindre peint tableau|photo appareil|tricot coudre|échecs plateau|jeux console|voile bateau|cheval équitation|danse danser|salle sport musculation
    kiné kinésithérapeute|code pin|caution loyer|remboursement rembourser|reçu facture|don donne`,
  it: `
    lavoro lavora impiego professione azienda mestiere assunto|capo dirige responsabile|vive abita casa indirizzo trasferito trasferita residenza
    città vive abita trasferito trasferita|animale cane gatto gatta|fratello sorella|genitori madre padre|figlio figlia bambino|marito moglie compagno compagna
    auto macchina guida veicolo|hobby passatempo gioca sport|preferito preferisce piace ama|cibo mangia mangiare dieta vegetariano vegana
    beve bevanda caffè tè|allergia allergico allergica intolleranza celiaco celiaca|malato malattia dolore|medico dottore dottoressa clinica ospedale
    viaggio viaggia vacanza vacanze|libro legge romanzo|scuola università studia studi|lingua parla impara studia|insegna insegnante professore materia
    inizia comincia inizio|finisce termina fine|prezzo costa costo tariffa|stipendio guadagna|riunione appuntamento|scadenza consegna
    numero telefono chiamare cellulare contattare|assicurazione assicurato polizza|banca conto|fornitore fornisce
    orario apre aperto chiude chiuso|dipendenti personale squadra|proprietario proprietaria|computer portatile|errore guasto problema
    server ospitato|linguaggio scritto scritta|pagamento pagare carta contanti|via indirizzo situato|nome chiama chiamato|compleanno nato nata
    paga stipendio busta|medico base dottoressa|malato medico|dentista denti dente|ottico occhiali vista|veterinario veterinaria|vaccino vaccinato|operazione operato intervento|ricetta medicina compressa dose
    asilo nido tata babysitter|alcol vino birra|noci arachidi allergico|glutine celiaco|lattosio latte|mamma madre|papà padre|maggiore primogenito|violoncello flauto tromba batteria|odia detesta sopporta
    paura fobia|luce elettricità gas energia|riscaldamento caldaia|idraulico perdita tubo|internet router wifi|spazzatura rifiuti|chiave scorta|passaporto visto|targa auto|gomme pneumatici
    officina meccanico|benzina diesel|volo aereo compagnia|albergo hotel alloggio|prenotazione conferma|valigia bagaglio|finestrino corridoio posto|sci sciare|nuoto nuotare piscina|correre corsa maratona
    parrucchiere capelli|turno orario|promozione promosso|dimissioni dimesso|colloquio candidatura|risparmi risparmia|azioni investe|deve debito prestato|caparra acconto|anniversario matrimonio|ospite visita
    sogno vuole|obiettivo proposito|ricetta cucinare|dolce torta|tesi dottorato|febbre influenza raffreddore|emicrania testa|schiena dolore|frattura gesso|sangue gruppo|spesa supermercato
    ristorante tavolo prenotazione|frigo frigorifero|forno cucina|lavatrice bucato|pulizie pulisce|soffitta cantina|balcone terrazza giardino|pacco consegna|spiaggia mare|montagna escursione
    cinema film|concerto festival|museo mostra|teatro spettacolo|tirocinio stagista|voti pagella|gemelli gemello|morto funerale|natale feste|invito festa|canta cantare|dipinge pittura
    palestra allena|cauzione affitto|ricevuta scontrino fattura`,
  pt: `
    trabalho trabalha emprego profissão empresa cargo contratado|chefe dirige gerente responsável|mora vive casa endereço mudou reside
    cidade mora vive mudou|animal cachorro cão gato gata|irmão irmã|pais mãe pai|filho filha bebê|marido esposa mulher namorado namorada
    carro dirige conduz veículo|hobby passatempo joga esporte|favorito prefere gosta adora|comida come comer dieta vegetariano vegana
    bebe bebida café chá|alergia alérgico alérgica intolerância celíaco celíaca|doente doença dor|médico médica clínica hospital
    viagem viaja férias|livro lê romance|escola universidade estuda curso faculdade|língua idioma fala aprende estuda|ensina professor professora matéria
    começa início|termina acaba fim|preço custa custo tarifa|salário ganha|reunião consulta|prazo entrega
    número telefone ligar celular contato|seguro seguradora apólice|banco conta|fornecedor fornece
    horário abre aberto fecha fechado|funcionários equipe pessoal|dono dona proprietário|computador portátil|erro falha problema
    servidor hospedado|linguagem escrito escrita|pagamento pagar cartão dinheiro|rua endereço fica|nome chama|aniversário nasceu
    pagamento salário|médico família clínico|doente médico|dentista dentes dente|óculos oftalmologista vista|veterinário veterinária|vacina vacinado|cirurgia operado operação|receita remédio comprimido dose
    creche babá|álcool vinho cerveja|nozes amendoim alérgico|glúten celíaco|lactose leite|mamãe mãe|papai pai|velho primogênito|caçula novo|violoncelo flauta trompete bateria|odeia detesta suporta|medo fobia
    picante pimenta|luz eletricidade gás energia|aquecimento caldeira|encanador canalizador vazamento|internet roteador wifi|lixo reciclagem|chave reserva|passaporte visto|placa matrícula carro|pneu pneus
    oficina mecânico|gasolina diesel|voo avião companhia|hotel hospedagem alojamento|reserva confirmação|mala bagagem|janela corredor assento|esqui esquiar|natação nadar piscina|correr corrida maratona
    cabeleireiro cabelo corte|turno escala|promoção promovido|demissão demitiu|entrevista candidatura|aposentadoria reforma|poupança economias|ações investe|deve dívida emprestou|entrada sinal|aniversário casamento
    visita hóspede|sonho quer|objetivo meta|receita cozinhar|sobremesa doce bolo|tese doutorado|febre gripe resfriado|enxaqueca cabeça|costas dor|fratura gesso|sangue tipo|compras supermercado
    restaurante mesa reserva|geladeira frigorífico|forno cozinha|roupa máquina lavar|faxina limpeza|sótão porão|varanda terraço jardim|pacote entrega encomenda|praia mar|trilha montanha
    cinema filme|concerto show festival|museu exposição|teatro peça|estágio estagiário|lição dever|notas boletim|gêmeos gêmeo|morreu morte funeral|sobrenome apelido|natal festas|convite festa|canta cantar|pinta pintura
    academia ginásio treina|caução aluguel|recibo fatura`,
  nl: `
    verjaardag geboren geboorte|bruiloft trouwen getrouwd huwelijk trouwdag|echtgenoot man vrouw echtgenote partner
    werk werkt baan beroep functie werkgever bedrijf aangenomen|chef baas leidinggevende leider leidt manager
    woont wonen huis woning flat adres verhuisd verhuist|stad woont verhuisd|huisdier hond kat poes puppy|broer zus broers zussen
    ouders moeder vader|mama moeder|papa vader|kind zoon dochter baby zoontje dochtertje|oma grootmoeder|opa grootvader|kleinkind kleinzoon kleindochter
    auto wagen rijdt voertuig|hobby vrije tijd speelt sport|favoriet lievelings liefst leukste houdt graag|haat hekel vreselijk
    eten eet dieet vegetarisch vegetariër veganist maaltijd|drinkt drinken koffie thee drank|ontbijt lunch avondeten diner
    allergie allergisch intolerantie|ziek ziekte klachten kwaal|dokter arts huisarts praktijk kliniek ziekenhuis|medicijn medicatie pil tablet slikt
    reis reist vakantie bezoek|boek leest roman|school universiteit studeert studie opleiding|taal spreekt leert talen|les geeft leraar docent vak
    instrument gitaar piano viool|begint begin start|eindigt einde klaar afgelopen|prijs kost kosten bedrag tarief|salaris verdient loon inkomen
    vergadering overleg bespreking afspraak|afspraak reservering boeking|deadline oplevering inleveren klaar|nummer telefoon bellen bereikbaar mobiel
    verzekering verzekerd polis|bank rekening|leverancier levert|klant opdrachtgever|open geopend sluit gesloten|personeel medewerker team werknemer
    eigenaar eigendom|computer laptop notebook|fout storing probleem bug|opgelost verholpen gerepareerd hersteld|database postgres mysql sqlite mongodb
    server gehost|uitrollen deployen uitgebracht release|wachtwoord inloggegevens toegang|aanmelden inloggen login|reservekopie backup kopie|cadeau geschenk
    tandarts tanden kies|opticien bril ogen|dierenarts|inenting vaccin prik|operatie geopereerd|recept medicijn|opvang oppas crèche|alcohol wijn bier
    stroom elektriciteit gas energie|verwarming ketel radiator|loodgieter lek leiding kraan|elektricien stopcontact|internet router wifi|afval vuilnis
    sleutel reservesleutel|paspoort visum|band banden|garage monteur reparatie|vlucht vliegtuig vliegt|hotel hostel logeren|koffer bagage|fiets fietst
    zwemmen zwembad|hardlopen rennen marathon|voetbal voetballen|kapper haar|rooster dienst|ontslag opgezegd vertrekt|sollicitatie gesprek|pensioen
    spaargeld sparen|schuld geleend uitgeleend|huur verhuurder huurt|hypotheek lening|belasting boekhouder accountant|advocaat|rijbewijs|buurman buurvrouw buren
    recept koken|dessert taart toetje|griep verkoudheid koorts|hoofdpijn migraine|rug pijn|gebroken breuk gips|supermarkt boodschappen|koelkast vriezer
    bank sofa|wasmachine was|schoonmaak poetst|zolder kelder|tuin balkon terras|verven schilderen kleur|pakket bezorging|strand zee|bergen wandelen|film bioscoop
    muziek luistert band concert|stagiair stage|tweeling|overleden gestorven begrafenis|kerst feestdagen|zingt koor|schilderen tekenen|zwanger verwacht bevallen|vriend vriendin relatie`,
  pl: `
    urodziny urodzony urodzona|ślub wesele małżeństwo żonaty zamężna|mąż żona małżonek małżonka partner
    praca pracuje zawód zatrudniony firma stanowisko posada|szef kierownik kierowniczka przełożony|mieszka dom mieszkanie adres przeprowadzka przeprowadził
    zwierzę pies kot suczka szczeniak|brat siostra rodzeństwo|rodzice matka ojciec|mama matka|tata ojciec|dziecko syn córka|babcia dziadek|wnuk wnuczka
    samochód auto jeździ pojazd|hobby zainteresowanie sport|ulubiony lubi woli uwielbia|nienawidzi znosi|jedzenie je dieta wegetarianin weganin posiłek
    pije napój kawa herbata|śniadanie obiad kolacja|alergia uczulenie uczulony nietolerancja|choroba chory dolegliwość|lekarz doktor przychodnia szpital klinika
    lek lekarstwo tabletka|podróż wyjazd wakacje urlop|książka czyta powieść|szkoła uniwersytet studia studiuje|język mówi uczy|nauczyciel przedmiot lekcja
    instrument gitara pianino skrzypce|zaczyna początek start|kończy koniec|cena kosztuje koszt opłata|pensja zarabia wynagrodzenie|spotkanie narada zebranie
    wizyta termin rezerwacja|termin oddanie deadline|numer telefon dzwonić|ubezpieczenie polisa|bank konto|dostawca dostarcza|klient zleceniodawca
    otwarte czynne zamknięte|pracownik zespół personel|właściciel należy|komputer laptop|telefon komórka smartfon|błąd awaria problem usterka|naprawiono rozwiązano usunięto
    baza postgres mysql sqlite mongodb|serwer hosting|wdrożenie wdraża publikuje|hasło dostęp|logowanie konto|kopia zapasowa backup|prezent podarunek
    dentysta ząb zęby stomatolog|okulista okulary wzrok|weterynarz zwierzę|szczepienie szczepionka|operacja zabieg|recepta lek|przedszkole żłobek niania|alkohol wino piwo
    prąd energia gaz elektryczność|ogrzewanie kaloryfer piec|hydraulik kran rura|elektryk gniazdko|internet router wifi|śmieci odpady|klucz zapasowy|paszport wiza
    opona koło|warsztat mechanik naprawa|benzyna paliwo|lot samolot leci|hotel nocleg hostel|bagaż walizka|rower|pływanie basen|bieganie biega maraton|piłka futbol
    fryzjer włosy|grafik zmiana|awans|wypowiedzenie odchodzi zwolnił|rozmowa rekrutacja|emerytura|oszczędności oszczędza|dług pożyczył|czynsz wynajem najem|kredyt hipoteka pożyczka
    podatek księgowa księgowy|prawnik adwokat|prawo jazdy|sąsiad sąsiadka|przepis gotować|deser ciasto|gorączka grypa przeziębienie|głowa migrena|plecy ból|złamanie gips złamał
    zakupy sklep supermarket|lodówka zamrażarka|kanapa sofa|pranie pralka|sprzątanie sprząta|strych piwnica|ogród balkon taras|malowanie kolor ściana|paczka przesyłka|plaża morze|góry szlak
    film kino|muzyka słucha koncert zespół|stażysta staż praktykant|bliźnięta bliźniak|zmarł śmierć pogrzeb|święta gwiazdka|śpiewa chór|ciąża urodzi|chłopak dziewczyna|remont budżet`,
  ru: `
    рождение родился родилась|свадьба женился замужем брак|муж жена супруг супруга|работа работает профессия должность компания трудится|начальник руководитель босс шеф
    живёт дом квартира адрес переехал|город живёт переехал|питомец собака кошка кот щенок|брат сестра|родители мать отец|мама мать|папа отец|ребёнок сын дочь малыш дети
    бабушка дедушка|внук внучка|машина автомобиль водит|хобби увлечение увлекается спорт|любимый любит предпочитает нравится|ненавидит терпеть|еда ест питание диета вегетарианец
    пьёт напиток кофе чай|завтрак обед ужин|аллергия непереносимость|болезнь болен болеет|врач доктор клиника больница поликлиника|лекарство таблетка препарат
    поездка путешествие отпуск едет|книга читает роман|школа университет учится студент|язык говорит учит|учитель преподаёт предмет урок|инструмент гитара пианино скрипка
    начинается начало старт|кончается конец завершается|цена стоит стоимость|зарплата зарабатывает доход|встреча совещание собрание планёрка|запись приём бронь|срок дедлайн сдача
    номер телефон звонить|страховка полис|банк счёт|поставщик поставляет|клиент заказчик|открыт закрыт работает|сотрудник команда персонал|владелец принадлежит|компьютер ноутбук
    телефон смартфон мобильный|ошибка сбой проблема баг|исправили починили решили устранили|база postgres mysql sqlite mongodb|сервер хостинг|деплой выкатывают релиз|пароль доступ
    вход авторизация логин|копия резервная бэкап|подарок дарит|стоматолог зуб зубы|окулист очки глаза зрение|ветеринар|прививка вакцина|операция оперировали|рецепт лекарство
    садик няня ясли|алкоголь вино пиво|свет электричество газ|отопление батарея котёл|сантехник кран труба|электрик розетка|интернет роутер wifi|мусор отходы|ключ запасной
    паспорт загранпаспорт виза|шина колесо|автосервис механик ремонт|бензин топливо|рейс самолёт летит вылет|гостиница отель хостел|багаж чемодан|велосипед|плавание бассейн|бег бегает марафон
    футбол мяч|парикмахер волосы стрижка|график смена|повышение повысили|уволился увольнение|собеседование вакансия|пенсия|сбережения копит|долг занял одолжил|аренда снимает хозяин
    ипотека кредит|налог бухгалтер|юрист адвокат|права водительские|сосед соседка|рецепт готовить|десерт торт|температура грипп простуда|голова мигрень|спина боль|перелом гипс сломал
    покупки магазин супермаркет|холодильник морозильник|диван софа|стирка стиральная|уборка убирает|чердак подвал|сад балкон терраса|красить цвет стена|посылка доставка|пляж море|горы поход
    фильм кино|музыка слушает группа концерт|стажёр практикант|близнецы двойня|умер смерть похороны|рождество праздники|поёт хор|беременна ждёт родит|парень девушка|бюджет ремонт`,
  tr: `
    doğum doğdu|düğün evlendi evli evlilik|koca karı eş|iş çalışıyor meslek görev şirket işveren|patron yönetici müdür amir|oturuyor yaşıyor ev daire adres taşındı
    şehir yaşıyor taşındı|hayvan köpek kedi yavru|kardeş abi abla ağabey|anne baba ebeveyn|çocuk oğul kız bebek|nine büyükanne babaanne anneanne|dede büyükbaba|torun
    araba otomobil araç|hobi uğraş spor|favori sever tercih|nefret sevmez|yemek beslenme vejetaryen vegan öğün|içecek içer kahve çay|kahvaltı öğle akşam
    alerji alerjik intolerans|hasta hastalık rahatsızlık|doktor hekim klinik hastane|ilaç hap tablet|yolculuk seyahat tatil gezi|kitap okur roman|okul üniversite okuyor öğrenci
    dil konuşuyor öğreniyor|öğretmen ders|çalgı enstrüman gitar piyano keman|başlıyor başlangıç|bitiyor son|fiyat ücret tutar maliyet|maaş kazanıyor gelir|toplantı görüşme
    randevu rezervasyon|teslim süre tarih|numara telefon aramak|sigorta poliçe|banka hesap|tedarikçi|müşteri|açık kapalı saat|çalışan ekip personel|sahip ait|bilgisayar laptop
    telefon cep|hata sorun arıza|düzeltildi çözüldü giderildi|veritabanı postgres mysql sqlite mongodb|sunucu|yayın sürüm|şifre parola|giriş oturum|yedek kopya|hediye armağan
    dişçi diş hekimi|göz gözlük|veteriner|aşı|ameliyat|reçete ilaç|kreş anaokulu bakıcı|alkol şarap bira|elektrik gaz enerji|kalorifer kombi ısıtma|tesisatçı musluk boru|elektrikçi priz
    internet modem wifi|çöp atık|anahtar yedek|pasaport vize|lastik tekerlek|tamirci onarım|benzin yakıt|uçuş uçak|otel pansiyon konaklama|bavul valiz bagaj|bisiklet|yüzme havuz|koşu koşuyor maraton
    futbol top|kuaför berber saç|vardiya|terfi|istifa ayrılıyor|mülakat|emekli emeklilik|birikim tasarruf|borç ödünç|kira ev sahibi|kredi|vergi muhasebeci|avukat|ehliyet|komşu
    tarif pişirmek|tatlı pasta|ateş grip nezle|baş migren|sırt bel ağrı|kırık alçı|alışveriş market|buzdolabı|kanepe koltuk|çamaşır|temizlik|çatı bodrum|bahçe balkon|boya renk duvar
    kargo paket|plaj deniz|dağ yürüyüş|film sinema|müzik dinliyor konser|stajyer staj|ikiz|öldü vefat cenaze|bayram|şarkı koro|hamile doğum|sevgili`,
  ar: `
    ميلاد ولد مولود|زواج زفاف عرس تزوج متزوج|زوج زوجة شريك|عمل يعمل وظيفة مهنة شركة|مدير رئيس مسؤول|يسكن يعيش بيت منزل شقة عنوان انتقل|مدينة يسكن انتقل
    حيوان كلب قطة جرو|أخ أخت شقيق شقيقة|والدان أم أب والد والدة|طفل ابن ابنة بنت ولد|جد جدة|حفيد حفيدة|سيارة مركبة يقود|هواية رياضة|مفضل يحب يفضل|يكره
    طعام أكل يأكل حمية نباتي وجبة|شراب يشرب قهوة شاي|فطور غداء عشاء|حساسية|مرض مريض|طبيب دكتور عيادة مستشفى|دواء حبة علاج|سفر رحلة عطلة إجازة يسافر|كتاب يقرأ رواية
    مدرسة جامعة يدرس دراسة|لغة يتحدث يتعلم|معلم أستاذ مادة درس|آلة غيتار بيانو كمان عود|يبدأ بداية|ينتهي نهاية|سعر ثمن تكلفة كلفة|راتب دخل أجر|اجتماع لقاء|موعد حجز|مهلة تسليم
    رقم هاتف اتصال|تأمين|بنك مصرف حساب|مورد|عميل زبون|مفتوح مغلق|موظف فريق|مالك صاحب|حاسوب كمبيوتر|هاتف جوال|خطأ خلل مشكلة عطل|أصلح حل|قاعدة بيانات|خادم سيرفر|نشر إصدار|سر مرور
    دخول تسجيل|نسخة احتياطية|هدية|أسنان ضرس|عيون نظارة نظر|بيطري|لقاح تطعيم|عملية جراحة|وصفة دواء|حضانة مربية|كهرباء غاز طاقة|تدفئة|سباك حنفية أنبوب|إنترنت راوتر|نفايات قمامة|مفتاح
    جواز تأشيرة|إطار عجلة|ورشة ميكانيكي|بنزين وقود|طائرة رحلة|فندق نزل|حقيبة أمتعة|دراجة|سباحة مسبح|جري ماراثون|كرة قدم|حلاق شعر|ترقية|استقالة|مقابلة|تقاعد|مدخرات|دين قرض|إيجار مستأجر
    ضريبة محاسب|محام|رخصة|جار جارة|وصفة طبخ|حلوى كعكة|حمى زكام|صداع|ظهر ألم|كسر|تسوق|ثلاجة براد|أريكة|غسالة غسيل|تنظيف|حديقة شرفة|دهان لون جدار|طرد توصيل|شاطئ بحر|جبل|فيلم سينما
    موسيقى يستمع|متدرب|توأم|توفي وفاة|عيد|حامل|ميزانية`,
  hi: `
    जन्मदिन जन्म|शादी विवाह ब्याह|पति पत्नी जीवनसाथी|काम नौकरी पेशा कंपनी पद|मालिक प्रबंधक प्रमुख बॉस|रहना रहता घर मकान पता|शहर रहता|पालतू कुत्ता बिल्ली पिल्ला
    भाई बहन|माता पिता माँ|माँ मम्मी माता|पिता पापा|बच्चा बेटा बेटी|दादी नानी|दादा नाना|पोता पोती|गाड़ी कार वाहन|शौक खेल|पसंदीदा पसंद|नापसंद नफ़रत|खाना भोजन आहार शाकाहारी
    पीना चाय कॉफ़ी|नाश्ता|एलर्जी|बीमारी बीमार रोग|डॉक्टर चिकित्सक अस्पताल क्लिनिक|दवा दवाई गोली|यात्रा सफ़र छुट्टी घूमना|किताब पुस्तक उपन्यास|स्कूल विद्यालय कॉलेज विश्वविद्यालय
    भाषा बोलना सीखना|शिक्षक अध्यापक पढ़ाना विषय|वाद्य गिटार पियानो तबला सितार|शुरू आरंभ|खत्म समाप्त अंत|कीमत दाम लागत|वेतन तनख्वाह कमाई|बैठक मीटिंग|मुलाकात अपॉइंटमेंट
    सीमा अवधि|फ़ोन नंबर|बीमा|बैंक खाता|ग्राहक|कर्मचारी टीम|कंप्यूटर लैपटॉप|मोबाइल फ़ोन|गड़बड़ी समस्या त्रुटि खराबी|ठीक मरम्मत सुधार|सर्वर|संस्करण रिलीज़|पासवर्ड|लॉगिन|बैकअप प्रति
    उपहार तोहफ़ा|दाँत|चश्मा आँख नज़र|टीका|ऑपरेशन सर्जरी|शराब बीयर|बिजली गैस ऊर्जा|नल पाइप प्लंबर|इंटरनेट राउटर|कूड़ा कचरा|चाबी|पासपोर्ट वीज़ा|टायर पहिया|पेट्रोल ईंधन|उड़ान हवाई जहाज
    होटल ठहरना|सामान सूटकेस|साइकिल|तैरना तैराकी|दौड़|फुटबॉल|बाल नाई|पदोन्नति|इस्तीफ़ा|साक्षात्कार|सेवानिवृत्त|बचत|कर्ज़ उधार|किराया|कर लेखाकार|वकील|पड़ोसी पड़ोसन|मिठाई|बुखार ज़ुकाम
    सिरदर्द माइग्रेन|पीठ दर्द|खरीदारी दुकान|फ्रिज|सोफ़ा|कपड़े धोना|सफ़ाई|बगीचा बालकनी|रंग दीवार|पार्सल|समुद्र|पहाड़|फ़िल्म सिनेमा|संगीत गाना|जुड़वाँ|निधन मृत्यु|त्योहार|गर्भवती|खर्च बजट`,
  unspaced: `
    생일 출생 태어난|결혼 혼인 예식|남편 아내 배우자|직업 직장 회사 근무|상사 팀장 부장 사장|거주 주소 이사 아파트|강아지 고양이 반려 동물|형제 자매 오빠 누나 언니 동생|부모 엄마 아빠 어머니 아버지
    자녀 아들 아이 아기|할머니 조모|할아버지 조부|손자 손녀|자동차 승용차 차량|취미 여가|음식 식사 식단 채식|음료 커피|아침 점심 저녁|알레르기 과민|질병 병원 아프|의사 병원 진료|의약 약국 처방
    여행 휴가 출장|소설 독서|학교 대학 전공|언어 영어 외국어|선생 교사 수업|악기 기타 피아노|시작 개시|종료 마감|가격 비용 요금|월급 연봉 급여|회의 미팅|예약 약속|마감 기한 납품|전화 번호 연락
    보험 보장|은행 계좌|고객 손님|직원 사원|컴퓨터 노트북|휴대폰 핸드폰|오류 에러 문제 버그|수정 해결 수리|서버 호스팅|배포 출시|비밀번호 암호|로그인 접속|백업 사본 복사|선물|치과 치아|안경 시력|접종 백신
    수술|유치원 어린이집|전기 가스 에너지|난방 보일러|배관 수도|인터넷 공유기 와이파이|쓰레기 재활용|열쇠|여권 비자|정비 수리|비행기 항공|호텔 숙소 민박|가방 짐|자전거|수영|달리기 마라톤|축구|미용 머리
    승진|퇴사 사직|면접 지원|퇴직 은퇴|저축 예금|대출 융자|월세 집세 임대|세금 세무 회계|변호사|면허|이웃|요리 조리법|감기 독감|두통 편두통|허리 통증|골절 깁스|장보기 마트|냉장고|소파|세탁 빨래|청소|정원 베란다
    페인트 벽지|택배 배송|바다 해변|등산|영화 극장|음악 노래|인턴|쌍둥이|사망 장례|임신 출산|예산 경비
    生日 出生 诞辰|结婚 婚礼 成婚 婚姻|妻子 老婆 太太 爱人 媳妇|丈夫 老公 先生 爱人|配偶 妻子 丈夫 老婆 老公|父亲 爸爸 老爸 爹|母亲 妈妈 老妈 娘|父母 爸妈 双亲 家长
    爷爷 祖父|奶奶 祖母|外公 姥爷|外婆 姥姥|孩子 儿子 女儿 小孩 宝宝 子女|儿子 男孩|女儿 女孩|兄弟 哥哥 弟弟|姐妹 姐姐 妹妹|兄妹 哥哥 妹妹 姐姐 弟弟
    亲戚 叔叔 阿姨 舅舅 姑姑 表哥 表妹|朋友 好友 伙伴 闺蜜 哥们|男友 女友 对象 恋爱 恋人|离婚 分手 分居|怀孕 孕期 预产|邻居 隔壁|室友 合租 舍友
    住 居住 地址 家住 搬家 住址 住在|搬家 搬到 迁居 搬去|房租 租金 月租 租房|房东 租房 出租|房贷 贷款 按揭|公寓 房子 住宅 小区|工作 职业 上班 任职 就职 岗位 职位
    职位 岗位 头衔 职务|公司 企业 单位 雇主|老板 上司 经理 领导 主管|同事 同僚 团队|员工 职员 雇员|工资 薪水 薪资 收入 月薪 年薪 待遇|涨薪 加薪 升职 晋升|辞职 离职 跳槽
    面试 应聘 求职|退休 养老|招聘 招人 录用|出差 差旅|加班 熬夜|手机 电话 号码 联系|电话 致电 打给 通话|邮箱 邮件 电邮|联系 联络 沟通|微信 聊天 消息
    医生 大夫 医师 医院 诊所|生病 患病 不适 病了 难受|疾病 病症 患有|感冒 发烧 咳嗽 着凉|药 药物 吃药 服用 药片 服药|手术 开刀 动刀|受伤 伤了 扭伤 骨折 摔伤 疼痛
    疼 疼痛 痛|过敏 不耐 敏感|牙医 牙齿 牙科|眼镜 视力 近视|体检 检查|疫苗 接种|体重 减肥 节食 瘦身|锻炼 健身 运动 训练 跑步|失眠 睡眠 睡觉 入睡|心理 焦虑 抑郁 压力
    糖尿 血糖|血压 高压|食物 吃 饮食 菜 饭菜 美食|早饭 早餐|午饭 午餐|晚饭 晚餐|做饭 烹饪 下厨 做菜 厨艺|餐馆 餐厅 饭店 饭馆|素食 吃素 素菜|辣 辛辣 麻辣
    饮料 喝 咖啡 奶茶 果汁|喝酒 饮酒 酒精 啤酒 白酒|戒烟 抽烟 吸烟|零食 点心 甜点 甜品 蛋糕|海鲜 虾 螃蟹|水果 苹果 西瓜 香蕉 草莓|喜欢 喜爱 最爱 偏好 爱好 热爱 爱吃 偏爱
    讨厌 厌恶 反感 受不 不喜|爱好 兴趣 嗜好 业余|害怕 恐惧 怕 担心 胆小|高兴 开心 快乐 愉快 兴奋 喜悦|难过 伤心 悲伤 沮丧 失落 哭|生气 愤怒 恼火 发火|紧张 焦虑 不安 忐忑
    惊讶 吃惊 惊喜 意外|骄傲 自豪|孤独 寂寞|累 疲惫 疲劳 疲倦|吵架 争吵 争执 闹翻|和好 道歉 原谅|表扬 夸奖 称赞 赞美 夸|批评 责备 训斥 骂|帮助 帮忙 协助
    礼物 送给 礼品 赠送|聚会 派对 晚会 聚餐|汽车 车子 开车 轿车 驾车|驾照 驾驶|自行 单车 骑车|通勤 上班 地铁 公交|地铁 轨道|飞机 航班 机票 飞往|火车 高铁 动车
    酒店 宾馆 旅馆 民宿 住宿|旅行 旅游 出游 度假 游玩|假期 放假 休假 年假|护照 签证|行李 箱子|停车 车位|宠物 小狗 小猫 猫咪 狗狗|狗 小狗 狗狗|猫 小猫 猫咪|兽医 宠物
    学校 大学 学院 校园|专业 主修|毕业 学位|考试 测验 测试 成绩 分数|老师 教师 教授|同学 同窗|作业 功课|数学 算术|英语 外语|语言 英语 汉语 日语 法语|课程 上课 课|奖学 奖金
    比赛 竞赛 大赛 锦标|获奖 得奖 冠军 第一 赢得 夺冠|输 失败 落败|书 书籍 阅读 读书 小说|电影 影片 看片|音乐 歌曲 听歌 唱歌|乐器 钢琴 吉他 提琴|游戏 玩|舞蹈 跳舞
    画画 绘画 画|摄影 拍照 照片 相片|足球 踢球|篮球 打球|游泳 泳池|爬山 登山 徒步|演出 表演 登台|魔术 变戏|买 购买 购入 购物 买了|价格 价钱 费用 花费 多少
    钱 资金 金额 费用|预算 经费|付款 支付 付钱 缴费|省钱 存钱 储蓄 攒钱|投资 股票 基金|欠 借 借钱 还钱|保险 投保|税 报税|银行 账户 卡|发票 账单|退款 退货|打折 优惠 折扣
    年龄 岁 多大|身高 个子|国籍 国家|老家 家乡 故乡 籍贯|城市 都市|名字 叫做 姓名 名叫|绰号 外号 昵称|宗教 信仰 教堂|星座 属相|开会 会议 例会 碰头|预约 约定 约好
    截止 期限 到期 最晚|日程 安排 计划 行程|计划 打算 规划 准备|决定 选定 选择 敲定 定下|目标 目的 愿望|提醒 通知 告知|推迟 延期 延后|取消 作废|开始 启动 开启
    结束 完成 完结|每周 周会 每星|周末 礼拜 星期|电脑 笔记 主机|密码 口令 凭证|账号 账户 登录|登录 登陆 认证 鉴权 验证|软件 工具 应用|网站 站点 域名 网址|网络 联网 宽带
    服务器 主机 机器|数据库 postgres mysql 库表|部署 上线 发布 发版|版本 发布|错误 报错 故障 异常 问题 缺陷 bug|修复 解决 修好 处理|故障 宕机 事故 中断
    配置 设置 参数|代码 源码 程序|仓库 代码 git|分支 主干|测试 用例|接口 api 端点|日志 记录|备份 快照|监控 告警 报警|权限 授权 访问|缓存 redis|队列 消息 任务
    脚本 命令|文档 说明 资料|需求 功能 特性|进度 状态 进展|优先 重要 紧急|客户 用户 顾客|供应 厂商 厂家|合同 协议 签约|删除 移除 清除|创建 新建 建立|更新 升级 变更 修改
    迁移 切换 替换 换成 改用|框架 组件|前端 界面 页面|后端 服务|环境 生产 线上|超时 延迟 慢|加密 密钥|容器 docker|钥匙 锁|垃圾 废物|暖气 供暖 空调|漏水 水管 维修
    快递 包裹 寄|衣服 衣物 穿 尺码|鞋 鞋子 鞋码|花 鲜花 花束|下雨 雨天 淋雨|下雪 雪天|天气 气温|新年 春节 过年 元旦|圣诞 节日|中秋 月饼|電話 携帯 番号 スマホ|誕生日 出生
    妻 家内|夫 旦那 主人|父 父親|母 母親|子供 息子 娘|住所 住ん 転居|仕事 職業 勤務 会社 勤め|給料 給与 月給 年収|上司 部長 課長|同僚 仲間|医者 医師 病院 先生|薬 服用
    怪我 骨折|好き 好物 好む|嫌い 苦手|趣味 好き|怖い 恐れ|旅行 旅|猫 ペット|犬 ペット|車 自動車 運転|料理 食事|学校 大学|試験 テスト|会議 ミーティング|締切 期限 期日
    予定 計画|決定 決め 選ん|値段 価格 料金 費用|買う 購入|障害 不具合 エラー バグ|修正 直し 解決|設定 構成|導入 デプロイ リリース|暗証 パスワード|趣味 興味|周一 期一 拜一
    周二 期二 拜二|周三 期三 拜三|周四 期四 拜四|周五 期五 拜五|周六 期六 拜六|周日 期日 期天 拜天 拜日|运动 锻炼 健身 游泳 跑步 爬山 篮球 足球 网球 瑜伽 羽毛球 骑行
    宠物 养猫 养狗 养了 小狗 小猫|证件 护照 身份证 驾照|恢复 还原|失败 没成 不成 未遂|原因 理由 因为 缘由|保洁 打扫 清洁 家政 钟点|成本 开销 费用 支出 花费 开支
    下属 手下 团队 小组 组员|语言 java python rust go typescript|编辑器 neovim vim vscode ide emacs|外包 代做 委托
    规范 规则 规矩 约定 格式 标准 要求|流水线 ci jenkins 集成|灰度 金丝 分批 逐步 全量|集群 kubernetes k8s 节点|云 阿里云 腾讯云 aws azure
    机房 服务器 云上|注释 说明 备注|提交 commit 合并|评审 审查 审核 review|加载 启动 打开|性能 速度 响应 快慢|流量 访问 请求|存储 硬盘 磁盘 空间|安全 漏洞 攻击
    上限 限制 配额 最多|下限 最少 至少|每天 天天 每日|每月 月度|每年 年度|早上 早晨 清晨 上午|晚上 夜里 半夜 夜间 傍晚|中午 午间|下午 午后|昨天 昨日|今天 今日|明天 明日
    以前 之前 过去 从前|现在 目前 当前 如今|最近 近来 近期|经常 常常 总是 老是|有时 偶尔|值班 轮值 轮班 oncall|证书 执照 资格|学历 学位 毕业 博士 硕士 本科
    培训 进修 学习|演讲 报告 分享 汇报|出版 发表 论文|专利 发明|办公室 公司 工位|总部 分部 分公司|行业 领域|创业 创办 创立 成立|姑娘 女儿 女孩|小伙 儿子 男孩
    老人 父母 爷爷 奶奶|亲家 岳父 岳母 公婆|双胞 孪生|幼儿 托儿 保姆 育儿|接送 接孩 送孩|去世 过世 逝世 离世 葬礼|照顾 看护 护理 陪护|住院 出院 病房|急救 急诊 救护
    过敏 哮喘 花生 坚果 海鲜 花粉|乳糖 牛奶|糖 甜食 血糖|航班 飞机 机场 登机|出国 签证 护照|出门 出差 外出 出行|目的地 前往 去了|坐车 乘车 搭车 打车|堵车 拥堵|违章 罚单
    加油 充电|轮胎 保养 维修 修车|租车 借车|车牌 牌照|邮寄 快递 收货 地址|门牌 门禁 密码|楼层 电梯 几楼|装修 翻新|家具 沙发 床|空调 制冷|冰箱 洗衣|宽带 路由 网络 wifi
    物业 小区|演唱 音乐会 歌手 乐队|综艺 节目 电视|连续剧 电视剧 追剧|小说 作家 作者 作品|游戏 手游 网游|围棋 象棋 下棋|钓鱼 垂钓|种花 养花 园艺 植物|露营 帐篷|滑雪 雪场
    海边 海滩 沙滩 大海|博物 展览 参观|纪念日 周年|红包 压岁|口味 味道 清淡 偏咸 偏甜|茶 喝茶 绿茶 红茶|面 面条 拉面|米饭 主食|头疼 头痛 偏头|胃痛 胃疼 肚子 胃
    腰疼 腰痛 腰椎|颈椎 脖子|听力 耳朵|近视 度数 眼睛|皮肤 湿疹 痘|血型 输血|药店 处方 开药|中医 中药|牙 拔牙 补牙 蛀牙|骨折 石膏 摔|康复 复健 恢复|心脏 心率|体温 发热
    怕高 恐高|怕黑 黑暗|怕水 溺水|恐飞 飞机|害羞 内向 腼腆|外向 开朗|勤奋 努力 用功 刻苦|懒 偷懒|自信 信心|成功 做到 完成|进步 提高 提升|犯错 出错 做错 错误|迟到 晚到
    忘记 忘了 遗忘|丢失 丢了 遗失 弄丢 不见|找到 找回 寻回|撒谎 说谎 骗|秘密 保密 隐私|分享 分给|安慰 鼓励 陪伴|想念 思念 想家|嫉妒 羡慕|尴尬 丢脸 难堪|后悔 懊悔 遗憾
    感动 感激 感谢 谢谢|期待 盼望 希望 向往|无聊 没劲|害羞 脸红|唱歌 歌曲 合唱|舞蹈 舞台 表演 演出|朗诵 演讲 上台|画画 美术 水彩|手工 折纸 制作|书法 写字 毛笔
    运动会 跑步 接力 赛跑 跳远|校队 球队 比赛|春游 秋游 郊游 踏青|夏令 露营|转学 新同学 班级|班长 班干 当选|家长会 成绩单|补习 补课 辅导|背诵 背书 单词|实验 科学|种树 植树
    捡到 拾到|流浪 收养 领养|过山 游乐 摩天|动物园 动物|蛋糕 蜡烛 生日|贺卡 卡片 礼物|压力 紧张 累|睡不 失眠 熬夜|做梦 噩梦 梦见`,
};
