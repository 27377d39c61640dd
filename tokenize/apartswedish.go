package tokenize

// swedishApart are Swedish words that are kept apart from others; see apart.go.
func swedishApart() apart {
	return readApart(`
+biljett -en -er -erna, +lägenhet -en -er -erna, +köki: kök -et -en -ens, +rum -met -men, +program -met -men, +bostad -en bostäder -na, +sommar -en somrar -na, +månad -en -er -erna,
+hammare -n hamrar -na, +mästare -n mästarna, +museum museet museer -na, +dotter -n döttrar -na, +läkare -n läkarna, +jägare -n jägarna,
+hals -en -ar -arna, +kurs -en -er -erna, +bänki: bänk -en -ar -arna, +väni: vän -nen -ner -nerna, +vänligi: vänlig -a -t -are -ast -aste -het -heten -en,
+väder vädret, +bäri: bär -et -en bära -s -nde, +möti: möte -t -n -na möta -s möter möts mött -e, +ledamot -en ledamöter -na, +motor -n -er -erna, +sats -en -er -erna,
+plats -en -er -erna, +flygplan -et -en, +video -n videor -na, +råtti: råtta -n råttor -na, +rättighet -en -er -erna, +säkerhet -en,
+fastighet -en -er -erna, +hastighet -en -er -erna, +kundi: kund -en -er -erna, +våldi: våld -et, +tågi: tåg -et -en, +miljö -n -er -erna,
+stödi: stöd -et -en stödja stöder stödjer stödde, +källi: källa -n källor -na, +källare -n källarna, +gåvi: gåva -n gåvor -na, +skåpi: skåp -et -en,
+rörelse -n -r -rna, +händelse -n -r -rna, +märki: märke -t -n -na märka märker märks märkt -e, +fängelse -t -n -r, +sängi: säng -en -ar -arna,
+faktor -n -er -erna, +skåli: skål -en -ar -arna, +smärti: smärta -n smärtor -na, +sallad -en -er -erna, +vårdi: vård -en vårda -r -s, +gräns -en -er -erna,
+hösti: höst -en -ar -arna -as, +tomat -en -er -erna, +spåri: spår -et -en, +dator -n -er -erna, +säte -t -n -na, +styrelse -n -r -rna, +trådi: tråd -en -ar -arna,
+medel medlet medlen, +lådi: låda -n lådor -na, +måttet: mått -et -en, +seger -n segrar -na, +kontor -et -en, +socker sockret, +äpplei: äpple -t -n -na,
+kvarter -et -en, +mönster mönstret mönstren, +såsi: sås -en -er -erna, +lägeri: läger lägret lägren, låsi: lås -et -en låsa låser låst -e,

öar: ö ön öarna, öli: öl -et -en, åri: år -et -en, håri: hår -et -en, östi: öst östra öster östlig -a -t, låti: låt -en -ar -arna, badi: bad -et -en bada -r -de,
våren vårens, varor varorna varan, fåret fåren, gängi: gäng -et -en -ar -ens, hål: hålet, tåri: tår -en -ar -arna, vali: val -et -en, nämni: nämna -s nämner nämns nämnde nämnt,
mann: mannen män männen, bror: bröder -na broder brodern, mor: mödrar -na, fader -n fäder -na, kors -et -en, rot -en rötter -na, rådi: råd -et -en, låri: lår -et -en,
måni: måne -n månar -na, fari: fara -n faror -na, saga -n sagor -na, ficka -n fickor -na, kanti: kant -en -er -erna, knappi: knapp -en -ar -arna, räki: räka -n räkor -na,
läni: län -et -en, skäle: skäl -et -en, skala -n skalor, lövi: löv -et -en, stalli: stall -et -en, hörne: hörn -et -en, läppi: läpp -en -ar -arna, ståli: stål -et,
läxi: läxa -n läxor -na, lager lagret lagren, lägei: läge -t -n -na, täcke -t -n -na, domare -n domarna, förare -n förarna, arena -n arenor, exemplar -et -en,
hälsi: hälsa -n -r -de -t, börsi: börs -en, gods -et, master -n, mode, modern modernt moderna -re, moderat -er -en -erna, planeten planeter -na, leverans -en -er -erna,

köri: köra kör -s -de -t -des körande, jaga -r -de -t -s -nde, meni: mena -r -de -t -s, föri: föra -s förs förde fördes fört, sitta sitter sittande, äti: äta -s äter äts ät ätit,
täcki: täcka -s täcker täcks täckt täckte täckande, hålli: hålla -s håller håll hålls hållet, hälle: hälla häller häll hälls, vågi: våga -r -de -t våg -en -or -orna,
mäti: mäta -s mäter mäts mätte, tåli: tåla tål tålde, måli: måla -r -de -t -s, leverera -r -s -de -t, konstatera -r -s -de -t, hantera -r -s -de -t,
radera -r -s -de -t, passera -r -s -de -t, parkera -r -s -de -t, agera -r -de -t -nde, landa -r -de -t, städa -r -de -t -s, boka -r -de -t -s -d, rensa -r -de -t -s,
råka -r -de -t, längta -r -de -t -n, störa stör -s -nde -de, sändi: sända -s sänder sänds sände sänt, tävli: tävla -r -de -t -nde, låtsas låtsades låtsats,
hoppas hoppades hoppats, såld sålt sålda sålde såldes,

svåri: svår -t -a -are -ast -aste, svårighet -en -er -erna, lågi: låg -t -a -e, härlig -t -a, billig -a -t -are -ast -aste, vanlig -a -t -are -ast -aste -en, ovanlig -a -t,
farlig -a -t -are -ast -aste, känslig -a -t -het, underlig -a -t, helig -a -t, äldre äldst -a, nära, närhet -en, nytta -n, nyttig -a -t, tidig -a -t -are -ast -aste,
riktig -a -t, verklig -a -t -en -het -heten, hemlig -a -t -het -heten -heter, manlig -a -t -het, väldig -t -a, fattig -a -t, viktig -a -t -are -ast -aste, dålig -a -t,
säker -t säkra säkrare säkrast, osäker -t osäkra osäkerhet -en, häftig -a -t, jobbig -a -t, skicklig -a -t -het, konstig -a -t, ledig -a -t -het -heten, ledsen ledset ledsna,
märklig -a -t, ärlig -a -t -het, lämplig -a -t, ständig -a -t, villig -a -t, vacker -t vackra vackrare vackrast vackraste, försenad försenat försenade, mängd -en -er, motsatt motsatta,
internet, intern -a -t, äkta, främmande, äntligen, nämligen, vilse, kanada -s, korea -s, ungern -s, skåne -s, mars, anders, lars, mitten, skansen
`, "s")
}
