import { groups, groupsOfMany } from './word-groups.ts';

/** What a phrase does to the fact that holds it. */
export type Cue = keyof typeof CUES;
const CUES = {
  // It is so today, as opposed to before.
  now: `now instead from_here_on going_forward kunftig fortan ab_jetzt a_partir_de_ahora a_partir_de_maintenant a_present nowadays these_days from_now_on as_of until_further_notice henceforth new newly anymore any_more is_down is_up
    jetzt nun neu neue neuen neuer neues inzwischen mittlerweile ab_sofort von_nun_an sondern
    ahora actualmente desde_ahora nuevo nueva ya maintenant desormais dorenavant nouveau nouvelle 今 現在 今は 现在 新 新しい
    agora atualmente a_partir_de_agora novo nova adesso ora attualmente d'ora_in_poi nuovo nuova nu voortaan tegenwoordig momenteel vanaf_nu
    nieuw nieuwe теперь сейчас отныне новый новая новое teraz obecnie odtąd nowy nowa nowe artık şimdi şu_an yeni 이제 지금 현재 새
    الآن حاليا الجديد الجديدة
    上周_起 上_周_起 上个月_起 上个_月_起 上月_起 去年_起 今年_起 先週_から 先月_から 去年_から 昨年_から 今年_から 지난주부터 지난달부터 작년부터 올해부터
    turns_out it_turns_out correction corrected korrektur correccion`,
  // Something became another.
  change: `emmenage emmenagee emmenageons emmenages switched switch switches moved moves moving
    migrated migrates changed changes became becomes become upgraded downgraded updated bumped raised raises lowered lowers
    increased increases decreased reduced doubled tripled halved cut dropped_to went_up went_down went_from goes_from rose fell grew shrank
    elected appointed postponed rescheduled pushed_back pushed rebooked reassigned took_over takes_over passed_to handed_over relocated relocates renamed turned
    brought_forward delayed slipped slips slid extended shortened down_to up_to joined joins started_at rejoint started_working started_work began_working empecé_a_trabajar empezó_a_trabajar commencé_à_travailler
    iniziato_a_lavorare comecei_a_trabalhar transferred promoted rewrote ported converted transitioned swapped
    gewahlt ernannt elegido elegida gewechselt wechselte umgezogen gezogen umgestellt umgestiegen
    migriert verschoben geandert gesenkt erhoht umbenannt gestiegen stieg gesunken sank
    cambio cambiamos cambie cambiado paso pasa pasamos pase migramos mude mudo mudamos aplazo aplazado
    acabo_de_mudarme acaba_de_mudarse acabamos_de_mudarnos viens_de_déménager vient_de_déménager venons_de_déménager
    subio bajo demenage demenagee change passe passes passee nouveau nouvelle reporte reportee migre
    変更 移行 切り替え 引っ越し 引っ越 乗り換え 変わり 变更 改为 改成 换成 换到 换 改到 改用 改在 涨到 涨 降到 升到 调到 变为 搬到 搬家_到 搬家_去 搬回 搬去 搬_去 搬_至 搬_进 搬_往 搬_来 变成 迁移 改 推迟 延期 提前 转到 跳槽到 跳槽_到 迁移到 迁移_到 迁到 调整 上がり 上がっ 下がり 下がっ
    値上げ 値下げ 変わっ 代わり 代わっ 替わっ 移し 移っ 移り 転職 異動 なり
    mudou mudei mudei-me mudou-se mudamos mudamo-nos passou passei passamos trocou troquei trocamos alterou alterado alterada subiu desceu aumentou
    adiado adiada trasferito trasferita trasferiti cambiato cambiata passato passata spostato spostata aumentato aumentata salito salita sceso
    scesa diventato diventata rinviato rinviata
    verhuisd verhuisde overgestapt overgegaan gewijzigd veranderd verplaatst verschoven verhoogd verlaagd gestegen gedaald
    переехал переехала переехали перешёл перешла перешли сменил сменила сменили перенесли перенесён перенесена перенесено изменился изменилась
    повысили повысился повысилась снизили снизился снизилась вырос выросла упал упала стал стала стало поменял поменяла переведён переведена
    przeprowadziłem przeprowadziłam przeprowadził przeprowadziła przeprowadziliśmy przeniesione przeniesiony przeniesiona przenieśliśmy zmienił
    zmieniła zmienione zmieniono przeszedł przeszła przeszliśmy wzrósł wzrosła spadł spadła przełożone przełożono
    taşındım taşındı taşındık geçti geçtim geçtik değişti değiştirdi değiştirdik değiştirildi yükseldi düştü arttı ertelendi alındı
    이사했다 이사했어요 이사했습니다 변경되었습니다 변경되었다 변경됐다 변경됐어요 변경됨 바뀌었다 바뀌었습니다 바뀌었어요 바꿨다 바꿨어요 바꿨습니다 옮겼다 옮겼어요
    옮겼습니다 전환했다 올랐다 내렸다 이직했다 이직했어요
    انتقلت انتقل انتقلنا أصبح أصبحت أصبحنا تغير تغيرت غيرت غيرنا ارتفع ارتفعت انخفض انخفضت تأجل تأجلت`,
  // What follows in the clause was so and is not any more.
  former: `ditched scrapped swore_off let_go_of parted_with parted_ways_with done_with finished_with through_with moved_on_from weg_von stop_with phased_out shut_off closed_down turned_our_back_on
    dejado_de dejan_de abandonamos abandono abandone vendimos arrete_de a_arrete ai_arrete arrete abandonne a_vendu ai_vendu vendu resilie laisse_tomber stop_using stop_doing instead_of rather_than in_place_of used_to_be used_to no_longer not_anymore stopped stops quit quits left sold gave_up dropped drops cancelled canceled cancels called_off
    abgesagt storniert cancelo cancelado cancelada annule annulee annullato annullata afgelast afgezegd
    unsubscribed_from removed discontinued abandoned replaces replaced replacing succeeds succeeded remplace a_remplace remplacent ersetzt reemplaza reemplazo sustituye
    moved_away_from moved_off got_rid_of away_from
    statt anstatt anstelle_von nicht_mehr nicht_langer
    ya_no en_lugar_de en_vez_de deje_de dejo_de dejamos_de dejo vendio
    au_lieu_de au_lieu_d' a_la_place_de a_quitte 不再 ではなく
    deixou_de deixei_de já_não em_vez_de cancelou cancelei vendeu vendi non_più al_posto_di invece_di smesso_di venduto annullato
    niet_meer niet_langer in_plaats_van opgezegd verkocht больше_не вместо перестал перестала бросил бросила продал продала
    już_nie zamiast przestał przestała rzucił rzuciła sprzedał sprzedała artık_değil لم_يعد بدلا_من`,
  // What stands before in the clause was so.
  formerBefore: `aufgehort abgeschafft aufgegeben abgeschaltet stillgelegt gekundigt abgelost was_scrapped
    passed_away est_parti est_partie sont_partis se_jubilo replaced_by was_replaced is_replaced were_replaced has_been_replaced stepped_down resigned is_gone are_gone gone retired replaced_with was_removed has_been_removed was_dropped decommissioned
    shut_down wurde_durch wird_durch werden_durch wurden_durch ersetzt_durch reemplazado_por remplace_par 取代`,
  // What follows in the clause is not so.
  negation: `not never no cannot don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't shouldn't haven't hasn't
    dont doesnt isnt nicht nie niemals kein keine keinen keiner no nunca jamas ne n' jamais pas 不 没有 没 别
    não non niet nooit geen не никогда нет nigdy żaden değil asla ليس لم`,
  // What is said may come, or was only thought of.
  plan: `plans_to plan_to planning planned_for_the thinking_about thinking_of considering might may could would should maybe
    perhaps someday one_day proposed suggests suggested wants_to want_to hopes_to if unless whether is_planned possibly
    intends_to will going_to intend hope vielleicht konnte wollen wurde_gern plant uberlegt
    quizas tal_vez planea queremos podria peut-etre pourrait envisage 打算 计划 想要 可能 かもしれ 予定
    talvez planeja planeia pretende pretendo gostaria forse vorrebbe vorrei potrebbe intende misschien overweegt van_plan wil_graag
    планирует планирую хочет хочу хотим возможно может_быть думает собирается planuje planuję chce chcę może zamierza
    planlıyor planlıyorum istiyor istiyorum belki düşünüyor 예정 계획 아마 ربما يخطط أريد يريد`,
  // Others say it, and it may be wrong.
  rumour: `rumour rumours rumor rumors gossip supposedly allegedly reportedly hearsay unconfirmed not_confirmed word_is claims claimed they_say people_say
    angeblich behauptet gerucht geruchte geruchteweise munkelt es_heisst rumorea rumores se_rumorea dicen_que al_parecer
    rumeur rumeurs parait-il il_parait on_dit_que 噂 らしい 听说 据说`,
  // It is so in a story or an example only, or was tried and taken back.
  unreal: `in_the_novel in_the_book in_the_story in_the_film in_the_movie in_the_series in_the_show in_the_game in_the_dream in_the_tutorial
    in_the_example in_the_demo in_the_sample in_the_template for_example reverted rolled_back undone im_roman im_buch
    im_film im_spiel im_tutorial im_beispiel zum_beispiel zuruckgenommen ruckgangig en_la_novela en_el_tutorial en_el_ejemplo
    por_ejemplo dans_le_roman dans_le_tutoriel par_exemple`,
  // It was so, and nothing is said of today.
  past: `formerly previously before_that in_the_past as_a_child grew_up back_then in_those_days last_year last_month last_week last_quarter last_spring last_summer last_autumn last_fall
    last_winter last_weekend last_monday last_friday
    fruher damals vorher als_kind de_pequeno antes antiguamente autrefois avant auparavant 以前 从前 曾经 かつて
    antigamente anteriormente in_passato una_volta vroeger voorheen раньше прежде ранее kiedyś dawniej eskiden önceden 예전 과거 سابقا
    letzte_woche letzter_woche letzten_monat letzten_sommer letzten_winter letztes_jahr letzten_jahr vorige_woche vorigen_monat voriges_jahr
    vergangene_woche vergangenen_monat vergangenes_jahr vergangenen_jahr
    semana_pasada mes_pasado año_pasado semaine_dernière mois_dernier année_dernière an_dernier été_dernier
    settimana_scorsa scorsa_settimana mese_scorso scorso_mese anno_scorso scorso_anno semana_passada mês_passado ano_passado
    vorige_week afgelopen_week vorige_maand afgelopen_maand vorig_jaar afgelopen_jaar
    прошлой_неделе прошлом_месяце прошлом_году прошлым_летом zeszłym_tygodniu zeszłym_miesiącu zeszłym_roku ubiegłym_tygodniu ubiegłym_miesiącu
    ubiegłym_roku geçen_hafta geçen_ay geçen_yıl geçen_sene 지난주 지난달 작년 이었습니다 이었어요 였습니다 였어요
    الأسبوع_الماضي الشهر_الماضي العام_الماضي السنة_الماضية
    上周 上_周 上星期 上个星期 上个_星期 上个月 上个_月 上月 去年 前年 先週 先月 昨年 一昨年`,
  // It has been so for a short time: this says nothing of what it is.
  recent: `recently lately vor_kurzem kürzlich neulich soeben gerade gerade_eben recientemente hace_poco recién récemment recentemente di_recente
    da_poco appena onlangs kort_geleden недавно только_что niedawno właśnie yakın_zamanda geçenlerde 최근 방금 مؤخرا
    最近 刚 刚刚 刚才 前不久 先日`,
  // It adds to what was said.
  addition: `also too as_well additionally besides another other second_one furthermore in_addition auch ausserdem zusatzlich
    tambien ademas aussi egalement 也 还 も além_disso anche inoltre altro altra ook bovendien также тоже ещё кроме_того takze
    także też również ayrıca 또한 أيضا`,
  // The rest of the clause says why or since when.
  reason: `because due_to after thanks_to so_that in_order_to to_be_closer to_be_near to_be_nearer to_live_near to_live_closer to_live_with to_save
    weil nachdem porque parce_que car`,
  // The same, of a time from which on it is so.
  since: `since seit desde depuis starting effective beginning`,
} as const;
export const cues: ReadonlyMap<string, Cue> = groups(CUES);
/**
 * States of which one follows the other, by what they are states of; phrases as in the cues. A word may be a state of several: what is
 * broken was intact, or passed its tests.
 */
export const states: ReadonlyMap<string, readonly string[]> = groupsOfMany({
  work: `prepared processed packed delivered open closed done finished complete completed in_progress ongoing pending running failed succeeded waiting
    waiting_for_review in_review under_review awaiting_review waiting_for_approval awaiting_approval merged blocked reopened
    resolved fixed unresolved draft published approved rejected accepted declined cancelled canceled paused started stopped
    unstarted called_off abgesagt storniert cancelado cancelada cancelo annule annulee annullato annullata afgelast afgezegd отменён отменена отменили
    odwołane odwołany iptal shipped released deployed reviewed wip todo queued signed unsigned arrived booked vacant filled granted denied
    on_hold put_on_hold suspended resumed postponed pausiert fortgesetzt unterschrieben 已批准 已拒绝
    offen geschlossen erledigt fertig angenommen abgelehnt abgeschlossen laufend gelost genehmigt bewilligt ausstehend in_arbeit
    in_bearbeitung entwurf veroffentlicht geliefert angekommen verschickt wiedereroffnet geoffnet gebucht gemergt blockiert
    abierto cerrado abierta cerrada terminado terminada pendiente hecho aceptado aceptada en_curso aprobado aprobada rechazado rechazada
    borrador publicado publicada entregado entregada enviado enviada resuelto resuelta reabierto reabierta vuelto_a_abrir vuelve_a_abrir
    ouvert ferme ouverte fermee termine terminee accepte en_cours en_attente approuve approuvee refuse refusee brouillon publie publiee
    livre livree expedie expediee resolu resolue rouvert rouverte 完了 未完了 进行中 进行_中 已完成 完成 待审批 待_审批 批准 草稿 发布 下書き 公開
    進行中 承認待ち 承認 未解决 解决 解決 关闭 审核中 合并`,
  build: `red green failing fails failed passing passes passed broken fixed rot grun fehlgeschlagen rojo verde fallando rouge vert
    失敗 成功 失败 通过`,
  payment: `unpaid paid outstanding overdue offen unbezahlt bezahlt beglichen pendiente pendiente_de_pago impagada impagado pagada pagado impaye impayee
    paye payee reglee 未払い 支払い済み 支払い_済み 未付款 未_付款 付款 已付款 待付款 未支付 已支付`,
  permission: `allowed permitted forbidden banned prohibited erlaubt verboten permitido permitida prohibido prohibida autorise autorisee interdit
    interdite 允许 禁止 許可`,
  power: `on off enabled disabled active inactive up down online offline live broken working works_again back reachable unreachable
    available unavailable caido caida funciona funcionando vuelve_a_funcionar roto kaputt aktiv inaktiv aktiviert deaktiviert en_panne fonctionne
    ausser_betrieb in_betrieb fahrt_wieder funktioniert hors_service en_service times_out crashes fixed repaired repariert
    healthy degraded up_again back_up back_online running_again online_again restored wieder_da wieder_online activado activada
    desactivado desactivada reparado reparada desactive desactivee repare reparee 启用 已启用 禁用 已禁用 停用 停止 稼働 復旧 恢复 故障 正常`,
  schedule: `on_track on_schedule on_time delayed behind behind_schedule ahead_of_schedule at_risk late overdue im_plan verspatet im_verzug`,
  diet: `vegetarian vegan pescatarian pescetarian pescatarier omnivore vegetarier vegetarierin veganer veganerin vegetariano vegetariana vegano vegana vegetarien
    vegetarienne`,
  lock: `locked unlocked entsperrt gesperrt bloqueado desbloqueado verrouille deverrouille`,
  validity: `valid invalid expired revoked renewed gultig ungultig abgelaufen vigente caducado caducada valable expire expiree`,
  stock: `in_stock out_of_stock sold_out auf_lager ausverkauft agotado agotada en_stock epuise`,
  sale: `for_sale up_for_sale sold bought rented zu_verkaufen verkauft en_venta vendido vendida a_vendre vendu vendue`,
  marriage: `single married divorced engaged widowed dating separated broke_up split_up in_a_relationship ledig verheiratet geschieden verlobt soltero soltera casado casada divorciado
    divorciada celibataire marie mariee divorce divorcee`,
  health: `sick ill healthy recovered injured healed krank gesund genesen verletzt geheilt enfermo enferma lesionado lesionada recuperado
    recuperada malade gueri guerie blesse blessee 生病 受伤 康复 回復 怪我`,
});
