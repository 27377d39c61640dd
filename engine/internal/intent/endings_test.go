package intent

import (
	"strings"
	"testing"
)

// romanceForms are words of languages, each in all its forms, with ; or a new line between them.
var romanceForms = map[string]string{
	"es": `rojo roja rojos rojas; verde verdes; gris grises; celeste celestes; azul azules; marrón marrones; blanco blanca blancos blancas
			beige beiges; naranja naranjas; rosa rosas; violeta violetas; granate granates; turquesa turquesas; dorado dorada dorados doradas
			multicolor multicolores; caqui caquis; lila lilas; marfil marfiles; transparente transparentes
			guante guantes; juguete juguetes; lápiz lápices; reloj relojes; pantalón pantalones; traje trajes; vestido vestidos; joya joyas
			jersey jerséis jerseys; collar collares; bolso bolsos; zapato zapatos; cinturón cinturones; calcetín calcetines; sofá sofás
			país países; luz luces; dulce dulces; bronce bronces; mesa mesas; hamburguesa hamburguesas; bikini bikinis; anillo anillos
			inglés inglesa ingleses inglesas; francés francesa franceses francesas; español española españoles españolas; autobús autobuses
			diseñador diseñadora diseñadores diseñadoras; enfermero enfermera; camarero camarera camareros; automático automática automáticos
			feliz felices; mes meses; año años; bebé bebés; café cafés; top tops; coche coches; mueble muebles; nuez nueces`,
	"pt": `preto preta pretos pretas; verde verdes; azul azuis; marrom marrons; branco branca brancos brancas; bege beges; cinza cinzas
			laranja laranjas; rosa rosas; lilás lilases; dourado dourada dourados; amarelo amarela amarelas; castanho castanha; roxo roxas
			anel anéis; calção calções; colar colares; bolsa bolsas; camisa camisas; botão botões; blusão blusões; pão pães; lençol lençóis
			móvel móveis; papel papéis; infantil infantis; fácil fáceis; útil úteis; portátil portáteis; digital digitais; material materiais
			biquíni biquínis; tênis; luz luzes; mulher mulheres; homem homens; imagem imagens; jardim jardins; brinquedo brinquedos; sapato sapatos
			inglês inglesa ingleses inglesas; francês francesa; espanhol espanhola espanhóis espanholas; alemão alemã alemães alemãs
			cantor cantora cantores cantoras; enfermeiro enfermeira; mesa mesas; ano anos; relógio relógios; óculos; mês meses; doce doces`,
	"it": `rosso rossa rossi rosse; bianco bianca bianchi bianche; nero nera neri nere; verde verdi; grigio grigia grigi grigie grige
			marrone marroni; arancione arancioni; azzurro azzurra azzurri; viola; giallo gialla gialli gialle; celeste celesti; dorato dorate
			lungo lunga lunghi lunghe; largo larga larghi larghe; fresco fresca freschi fresche; vecchio vecchia vecchi vecchie
			giacca giacche; orologio orologi; borsa borse; gonna gonne; camicia camicie; maglione maglioni; scarpa scarpe; anello anelli
			occhio occhi; specchio specchi; valigia valigie valige; pelliccia pellicce; laccio lacci; maglia maglie; coniglio conigli
			accessorio accessori; armadio armadi; calendario calendari; primario primaria primari primarie; cucchiaio cucchiai; viaggio viaggi
			formaggio formaggi; ufficio uffici; superficie superfici; bottiglia bottiglie; elettrico elettrica elettrici elettriche; automatico automatica automatici automatiche
			attore attori; attrice attrici; infermiere infermiera infermieri; dolce dolci; storia storie; categoria categorie; uomo uomini
			lavatrice lavatrici; cornice cornici; collana collane; guanto guanti; stivale stivali; cappotto cappotti; spiaggia spiagge`,
	"fr": `blanc blanche blancs blanches; violet violette violets violettes; gris grise grises; vert verte verts vertes; noir noire noirs
			bleu bleue bleus bleues; beige beiges; rouge rouges; marron marrons; roux rousse rousses; doré dorée dorés dorées; rose roses
			turquoise turquoises; orange oranges; jaune jaunes; argenté argentée argentés; fleuri fleurie fleuris fleuries
			royal royale royaux royales; végétal végétaux végétale; crémeux crémeuse crémeuses; heureux heureuse; sportif sportive sportifs sportives
			manteau manteaux; bijou bijoux; chapeau chapeaux; chemise chemises; robe robes; chaussette chaussettes; casquette casquettes; sac sacs
			bretelle bretelles; naturel naturelle naturels naturelles; italien italienne italiens italiennes; bon bonne bons bonnes
			français française françaises; anglais anglaise; chinois chinoise chinoises; mignon mignonne; long longue longs longues
			vendeur vendeuse vendeurs vendeuses; acteur actrice acteurs actrices; infirmier infirmière infirmiers infirmières; intérieur intérieure
			doux douce douces; frais fraîche fraîches; sec sèche; couleur couleurs; fleur fleurs; tuyau tuyaux; œuf œufs; jeu jeux; eau eaux
			meublé meublée meublés meublées; poupée poupées; entrée entrées; olive olives; fraise fraises; cheval chevaux; neuf neuve
			framboise framboises; heure heures; prise prises; selle selles; année années; public publique; peau peaux; travail; tasse tasses; tas; cours; course courses
			brisé brisée brisées brisés; cheminée cheminées; chemin chemins`,
	"ca": `vermell vermella vermells vermelles; blanc blanca blancs blanques; verd verda verds verdes; negre negra negres; groc groga grocs grogues
			gris grisa grisos grises; blau blava blaus blaves; llarg llarga llargs llargues; marró marrons; camisa camises; pantaló pantalons
			sabata sabates; guant guants; taronja taronges; peça peces; jersei jerseis`,
	"ro": `alb albă albi albe; negru neagră negri negre; roșu roșie roșii; verde verzi; galben galbenă galbeni galbene; albastru albastră albaștri albastre
			rochie rochii; fustă fuste; pantof pantofi; tricou tricouri; inel inele; ceas ceasuri; cămașă cămăși; portocaliu portocalie portocalii`,
}

// TestEndingsOfRomance: a word is found by each of its forms.
func TestEndingsOfRomance(t *testing.T) {
	for language, list := range romanceForms {
		c := NewCues(language)
		bases := map[string]string{}
		for forms := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ';' || r == '\n' }) {
			words := strings.Fields(forms)
			for _, w := range words {
				if got, want := c.Base(foldWord(w)), c.Base(foldWord(words[0])); got != want {
					t.Errorf("%s: %s is %q, and %s %q", language, w, got, words[0], want)
				}
			}
			base := c.Base(foldWord(words[0]))
			if other := bases[base]; other != "" && other != words[0] {
				t.Errorf("%s: %s and %s have one base, %q", language, words[0], other, base)
			}
			bases[base] = words[0]
		}
	}
	for _, tt := range []struct{ language, a, b string }{
		{"fr", "prix", "prise"}, {"fr", "frais", "fraise"}, {"fr", "anne", "année"}, {"fr", "marché", "marc"}, {"fr", "sel", "selle"}, {"fr", "entre", "trésor"},
		{"it", "italia", "italo"}, {"it", "francia", "franco"}, {"it", "marcia", "marco"}, {"es", "usa", "uso"}, {"es", "mes", "mesa"},
	} {
		if c := NewCues(tt.language); c.Base(foldWord(tt.a)) == c.Base(foldWord(tt.b)) {
			t.Errorf("%s: %s and %s are one", tt.language, tt.a, tt.b)
		}
	}
}
