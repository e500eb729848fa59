import type { Language } from './language.ts';

/**
 * Groups of words that people use for the same everyday things, and those that facts about a thing are told by: where somebody lives by
 * "moved". A word may stand in several groups, and stands there for all words of its stem.
 */
export const SYNONYMS: Partial<Record<Language, string>> = {
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
};
