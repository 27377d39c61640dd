package tokenize

// danishApart are Danish words that are kept apart from others; see apart.go.
func danishApart() apart {
	return readApart(`
+billet -ten -ter -terne, +lejlighed -en -er -erne, +køkken -et -er -erne, +bolig -en -er -erne, +størrelse -n -r -rne,
+værelse -t -r -rne, +sommer -en somre -ne, +hammer -en hamre -ne, +mester -en mestre -ne, +museum museet museer -ne,
+datter -en døtre -ne, +suppe -n -r -rne, +udsigt -en -er -erne, +ansigt -et -er -erne, +punkt -et -er -erne,
+venlig -e -t -ere -st -ste -hed -heden, +menighed -en -er -erne, +rettighed -en -er -erne, +varighed -en -er,
+laks -en -ene, +kiks -en -ene, +boks -en -e -ene, +saks -en -e -ene, +heks -en -e -ene, +prins -en -er -erne, +hals -en -e -ene,
+slips -et -ene, +kors -et -ene, vers -et -ene, +puls -en -e, dans -en -e -er -ene -et -ede, +kursus kurset kurser -ne,
+båndi: bånd -et -ene, +kødi: kød -et -ene, +skåli: skål -en -e -ene, +mødi: møde -r -t -rne -s mød -t -te mødende, +flådi: flåde -n -r -rne,
+løve -n -r -rne, +loftet: loft -et -er -erne, +humøri: humør -et, +malingi: maling -en -er -erne,
+tømmer -et, +punktum -met -mer, +lejr -en -e -ene, +eventyr -et -ene, +nøgli: nøgle -n -r -rne, +bølge -n -r -rne,

bådi: bad -et -ene -er badning, høni: høne -n høns -ene, øli: øl -let -len -ler -lene -ene, østi: øst -en østlig -e -t, østrig østrigs,
rodi: rod -en rødder -ne, blødi: blød -t -e -ere -est -este, spilli: spild -et, stili: stil -en, regni: regn -en, havi: hav -et -ene,
vari: vare -r -n -rne, måni: måne -n -r -rne, herri: herre -r -n -rne, endi: ende -r -n -rne, åndi: ånd -e -en -er -erne, ændi: and ænder -ne,
dammi: dam -men -me -mene, håri: hår -et -ene, maske -n -r -rne, bagi: bage -r -ren -re -rne -s -nde, bari: bar -en -er -erne, jern -et -ene, hæri: hær -en -e -ene, sømi: søm -met -mene -mer, lågi: låg -et -ene, køni: køn -net -nene,
fødi: føde -n -s -nde, stødi: stød -et -ene støde -r, brødi: brød -et -ene, tali: tal -let -lene, meter -en -ene, peter, super,
male -r -de -nde malede malere maleren malerne, mode, modne moden modent, vandt, fodri: foder -et, lager -et lagre -ne,
date -r, kørsi: køre -r -s -nde kør kørt -e, koge -r -t -s -nde kog kogt -e, køgi: køge, føri: føre -r -s -nde føreren førere førerne ført -e,
meni: mene -r -s, sigi: sige -r -s -nde, liggi: ligge -r -t -nde, siddi: sidde -r -t -nde, vækki: vække -r -t -s -nde, sørgi: sørge -r -t -s sørg sørgede,
læggi: lægge -r -s læg, reddi: redde -r -t -de reddes, levere -r -t -s -de -nde, markere -r -t -s -de, parkere -r -t -s -de,
passere -r -t -s -de, passe -r -nde -de, sortere -r -t -s -de, redigere -r -t -s -de, håndtere -r -t -s -de, forene -r -t -de, synes syntes,
intens -t -e, demens -en, villig -e -t, forrig: forrige, endelig -e -t, hellig -e -t, hellere heller, tidlig -e -t -ere -st -ste,
virkelig -e -t -hed -heden, rigtig -e -t, lighed -en -er -erne, moderne, nøgen nøgne nøgent, mærkelig -e -t, tilfældig -e -t,
dejlig -e -t -ere -st -ste, fattig -e -t -ere -ste -dom -dommen, nemlig, modig -e -t, undtagelse -n -r -rne, rolig -e -t -ere -ste, utrolig -e -t, rimelig -e -t, tåbelig -e -t,
herlig -e -t, ledighed -en, rådighed -en, voksen -t voksne voksnes, viden, videre, orden -en, forlig -et -ene, slagelse,
mor: moder -en, bror: broder -en, far: fader -en
`, "s")
}
