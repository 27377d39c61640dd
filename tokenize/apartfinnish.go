package tokenize

// finnishApart are Finnish words that are kept apart from others; see apart.go. They are folded, as what the
// stemmer sees is.
func finnishApart() apart {
	return readApart(`
usa usa- usaan usana, vuode vuodetta vuoteet vuoteita vuoteiden vuoteessa vuoteesta vuoteella vuoteelta,
+korko korkoa korkoon korkona koro- korkoja korkojen koroi~, korkea korkea- korkeaa korkeaan korkeita korkeiden korkei~ korkein korkeampi korkeasti,
takas, takki takkia takkiin taki- takkeja takkien takei~, +tehdas tehdasta tehtaa- tehtaaseen tehtaita tehtaiden tehtai~ tehtaisiin,
rikas rikasta rikkaa- rikkaita rikkaiden rikkai~, kana kana- kanaa kanaan kanoja kanojen kanoi~, +kanava kanava- kanavaa kanavaan kanavia kanavien kanavi~ kanaviin,
+sana sana- sanaa sanaan sanana sanoja sanojen sanoi~ sanoihin sanansa, +peruna peruna- perunaa perunaan perunoita perunoiden perunoi~,
+omena omena- omenaa omenaan omenia omenoita omenoiden omenien omenoi~, +ikkuna ikkuna- ikkunaa ikkunaan ikkunoita ikkunoiden ikkunoi~ ikkunoihin,
ovi ovea ove- oveen ovia ovien ovi~ oviin, +aine ainetta ainee- aineeseen aineita aineiden ainei~, +joki jokea jokeen joe- jokia jokien,
jalkeen, jalki jalkea jaljet jaljen jalkia jalkien jalkiin jaljella jaljelle jaljelta jaljessa jaljesta, +elain elainta elaime- elaimia elainten elainten elaimi~ elaimiin,
+tiede tiedetta tietee- tieteeseen tieteita tieteiden tietei~, asio: asia asia- asiaa asiaan asiana asioita asioiden asioi~ asioihin,
aste astetta astee- asteeseen asteita asteiden astei~, +muna muna- munaa munia munien muni~, tili tili- tilia tiliin tileja tilien tilei~,
+tilanne tilannetta tilantee- tilanteeseen tilanteita tilanteiden tilantei~ tilanteisiin, vari vari- varia variin vareja varien varei~,
viisas viisasta viisaa- viisaita viisaiden viisai~, puola puola- puolaan puolaa, +kivi kivea kiveen kive- kivia kivien kivi~,
kipea kipea- kipeaa kipeita, +kohde kohdetta kohtee- kohteeseen kohteita kohteiden kohtei~ kohteisiin,
+huone huonetta huonee- huoneeseen huoneita huoneiden huonei~ huoneisiin, kunnia kunnia- kunniaa, kunto kuntoa kuntoon kunno- kuntoja kuntojen,
tunne tunnetta tunteet tunteita tunteiden tuntei~, +kasvi kasvi- kasvia kasviin kasveja kasvien kasvei~, kasvo kasvot kasvoja kasvojen kasvoi~ kasvoihin,
+taide taidetta taitee- taiteita taiteiden, taito taitoa taitoon taido- taitoja taitojen taidoi~, +kirje kirjetta kirjee- kirjeeseen kirjeita kirjeiden kirjei~,
jakso jakso- jaksoa jaksoon jaksoja jaksojen jaksoi~, kokki kokkia koki- kokkeja kokkien, metro metro- metroa metroon metroja,
+vieras vierasta vieraa- vieraaseen vieraita vieraiden vierai~, villa villa- villaa villaan villoja, muoti muoti- muotia muotiin muodi-,
+sade sadetta satee- sateeseen sateita sateiden satei~, vaalea vaalea- vaaleaa vaaleita, koe koetta kokee- kokeeseen kokeita kokeiden kokei~ kokeisiin,
selkea selkea- selkeaa selkeita selkeasti, harmaa harmaa- harmaata harmaita harmaiden harmai~, +paine painetta painee- paineeseen paineita paineiden painei~,
+rinne rinnetta rintee- rinteeseen rinteita rinteiden rintei~, kallis kallista kallii- kalliita kalliiden kalliimpi,
+rakenne rakennetta rakentee- rakenteeseen rakenteita rakenteiden rakentei~, korea korea- koreaan koreaa, +puute puutetta puuttee- puutteita puutteiden puuttei~,
+sali sali- salia saliin saleja salien salei~, liikenne liikennetta liikentee- liikenteeseen,
kirkas kirkasta kirkkaa- kirkkaita kirkkaiden kirkkai~, +laite laitetta laittee- laitteeseen laitteita laitteiden laittei~ laitteisiin,
+osoite osoitetta osoittee- osoitteeseen osoitteita osoitteiden osoittei~, +naytto nayttoa nayttoon nayto- nayttoja nayttojen naytoi~,
kuusi kuutta kuuteen kuude-, lammas lammasta lampaa- lampaita lampaiden lampai~, lammin lamminta lampima- lampimia lampimien lampimi~ lampimampi,
hanna hanna- hannaa, parh: paras parasta
`).inCases("n t ssa sta lla lta lle ksi nsa")
}
