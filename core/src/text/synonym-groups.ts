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
    wood material|subscription plan tier|degree major graduate|exam test|course class lesson|coach trainer|tournament match league`,
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
    lizenz|editor vim|container docker kubernetes|region standort|sicherung backup|port lauscht hört|zweig branch|rhythmus wöchentlich monatlich
    standort adresse straße|kanal slack chat|wiki dokumentation confluence|ticket jira|überwachung monitoring grafana|budget kosten ausgaben
    parkplatz parken|karte speise gericht|rückgabe umtausch|garantie gewährleistung|rabatt nachlass|kasse terminal kartenzahlung zahlung
    bezahlen zahlung karte bar|wlan passwort|schlüssel|gründer gegründet gründerin|rechnung rechnungen|versand verschickt paket
    lager bestand|marke modell hersteller|kapitel stand fortschritt|abo tarif abonnement|prüfung klausur|trainer trainerin training
    entwickelt geschrieben programmiert|besprechung meeting standup runde|leiten leitet führt chef|bereitschaft notdienst pager`,
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
    ropa talla|zapatos talla número|mote apodo llaman|licencia|editor vim|contenedor docker kubernetes|región zona|copia respaldo backup
    puerto escucha responde|rama branch|frecuencia semanal mensual cada|canal slack chat|wiki documentación|incidencia ticket jira
    monitorización grafana|presupuesto coste gasto|aparcamiento aparcar|carta plato menú|devolución devolver|garantía|descuento rebaja
    pago pagar tarjeta efectivo bizum|wifi contraseña|fundador fundadora fundó|factura facturas|envío envía paquete|almacén guarda existencias
    marca modelo|plan suscripción tarifa|examen prueba|entrenador entrenadora|aloja alojado servidor nube|caché memoria|cola mensajes broker
    guardia turno|límite máximo tope|versión actualizado|reunión diaria|correo email mail|mudanza mudado mudó vive`,
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
    copain copine conjoint compagnon compagne|prêt crédit|impôts comptable|avocat avocate|permis|urgence contact|opérateur forfait contrat réseau
    fournisseur grossiste|journal abonné lit|bénévole aide|chorale chante|dort lit lève|diabète asthme|traitement thérapie
    grand-mère grand-père|cousin cousine tante oncle nièce neveu|vêtements taille|chaussures pointure|surnom appelle|licence|éditeur vim
    conteneur docker kubernetes|région zone|sauvegarde backup|port écoute|branche|fréquence hebdomadaire mensuel chaque|canal slack chat
    wiki documentation|ticket jira|surveillance grafana|budget coût dépense|parking garer|carte plat menu|retour remboursement|garantie
    remise réduction|paiement payer carte espèces|wifi passe|fondateur fondatrice fondé|facture factures|envoi colis|entrepôt stock
    marque modèle|abonnement forfait|examen épreuve|entraîneur coach|rue adresse situé|cache mémoire|file messages broker|astreinte garde
    limite maximum plafond|déménagement déménagé habite`,
  it: `
    lavoro lavora impiego professione azienda mestiere assunto|capo dirige responsabile|vive abita casa indirizzo trasferito trasferita residenza
    città vive abita trasferito trasferita|animale cane gatto gatta|fratello sorella|genitori madre padre|figlio figlia bambino|marito moglie compagno compagna
    auto macchina guida veicolo|hobby passatempo gioca sport|preferito preferisce piace ama|cibo mangia mangiare dieta vegetariano vegana
    beve bevanda caffè tè|allergia allergico allergica intolleranza celiaco celiaca|malato malattia dolore|medico dottore dottoressa clinica ospedale
    viaggio viaggia vacanza vacanze|libro legge romanzo|scuola università studia studi|lingua parla impara studia|insegna insegnante professore materia
    inizia comincia inizio|finisce termina fine|prezzo costa costo tariffa|stipendio guadagna|riunione appuntamento|scadenza consegna
    numero telefono chiamare cellulare contattare|assicurazione assicurato polizza|banca conto|fornitore fornisce|cliente
    orario apre aperto chiude chiuso|dipendenti personale squadra|proprietario proprietaria|computer portatile|errore guasto problema
    server ospitato|linguaggio scritto scritta|pagamento pagare carta contanti|via indirizzo situato|nome chiama chiamato|compleanno nato nata`,
  pt: `
    trabalho trabalha emprego profissão empresa cargo contratado|chefe dirige gerente responsável|mora vive casa endereço mudou reside
    cidade mora vive mudou|animal cachorro cão gato gata|irmão irmã|pais mãe pai|filho filha bebê|marido esposa mulher namorado namorada
    carro dirige conduz veículo|hobby passatempo joga esporte|favorito prefere gosta adora|comida come comer dieta vegetariano vegana
    bebe bebida café chá|alergia alérgico alérgica intolerância celíaco celíaca|doente doença dor|médico médica clínica hospital
    viagem viaja férias|livro lê romance|escola universidade estuda curso faculdade|língua idioma fala aprende estuda|ensina professor professora matéria
    começa início|termina acaba fim|preço custa custo tarifa|salário ganha|reunião consulta|prazo entrega
    número telefone ligar celular contato|seguro seguradora apólice|banco conta|fornecedor fornece|cliente
    horário abre aberto fecha fechado|funcionários equipe pessoal|dono dona proprietário|computador portátil|erro falha problema
    servidor hospedado|linguagem escrito escrita|pagamento pagar cartão dinheiro|rua endereço fica|nome chama|aniversário nasceu`,
};
