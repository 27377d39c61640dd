package tokenize

import (
	"strings"
	"testing"
)

// texts are of the kind that people search, a few sentences of each language.
var guessTexts = map[string]string{
	"ar": "كان الرجل في البيت عندما جاءت المرأة من المدينة إلى القرية مع أولادها. هذا هو الكتاب الذي قرأته في المدرسة، وهو من أفضل الكتب التي كانت عندنا. لا أعرف ما إذا كان هناك من يريد أن يشتري هذه السيارة. من هو الذي كتب هذا؟",
	"da": "Manden var i huset, da kvinden kom fra byen med sine børn. Det er den bog, som jeg læste i skolen, og den er en af de bedste, vi havde. Jeg ved ikke, om der er nogen, der vil købe denne bil af os efter så mange år.",
	"de": "Der Mann war im Haus, als die Frau mit ihren Kindern aus der Stadt kam. Das ist das Buch, das ich in der Schule gelesen habe, und es ist eines der besten, die wir hatten. Ich weiß nicht, ob jemand dieses Auto kaufen will.",
	"en": "The man was in the house when the woman came from the city with her children. This is the book that I read in school, and it is one of the best that we had. I do not know whether there is anybody who wants to buy this car.",
	"es": "El hombre estaba en la casa cuando la mujer llegó de la ciudad con sus hijos. Este es el libro que leí en la escuela y es uno de los mejores que teníamos. No sé si hay alguien que quiera comprar este coche.",
	"fi": "Mies oli talossa, kun nainen tuli kaupungista lastensa kanssa. Tämä on se kirja, jonka minä luin koulussa, ja se on yksi parhaista, joita meillä oli. En tiedä, onko siellä joku, joka tahtoo ostaa tämän auton, mutta kysyn vielä kerran, kun hän tulee. Jos se ei ole tässä, niin missä se on?",
	"fr": "L'homme était dans la maison quand la femme est arrivée de la ville avec ses enfants. C'est le livre que j'ai lu à l'école, et c'est un des meilleurs que nous avions. Je ne sais pas si quelqu'un veut acheter cette voiture.",
	"hu": "A férfi a házban volt, amikor az asszony megjött a városból a gyerekeivel. Ez az a könyv, amelyet az iskolában olvastam, és ez az egyik legjobb, ami nekünk volt. Nem tudom, hogy van-e valaki, aki meg akarja venni ezt az autót.",
	"it": "L'uomo era nella casa quando la donna arrivò dalla città con i suoi figli. Questo è il libro che ho letto a scuola ed è uno dei migliori che avevamo. Non so se c'è qualcuno che vuole comprare questa macchina.",
	"nl": "De man was in het huis toen de vrouw met haar kinderen uit de stad kwam. Dit is het boek dat ik op school heb gelezen, en het is een van de beste die wij hadden. Ik weet niet of er iemand is die deze auto wil kopen.",
	"no": "Mannen var i huset da kvinnen kom fra byen med barna sine. Dette er den boken som jeg leste på skolen, og den er en av de beste vi hadde. Jeg vet ikke om det er noen som vil kjøpe denne bilen av oss etter så mange år.",
	"pt": "O homem estava na casa quando a mulher chegou da cidade com os seus filhos. Este é o livro que eu li na escola e é um dos melhores que nós tínhamos. Não sei se há alguém que queira comprar este carro.",
	"ro": "Bărbatul era în casă când femeia a venit din oraș cu copiii ei. Aceasta este cartea pe care am citit-o la școală și este una dintre cele mai bune pe care le aveam. Nu știu dacă este cineva care vrea să cumpere această mașină.",
	"ru": "Мужчина был в доме, когда женщина приехала из города со своими детьми. Это та книга, которую я читал в школе, и она одна из лучших, что у нас были. Я не знаю, есть ли кто-то, кто хочет купить эту машину.",
	"sv": "Mannen var i huset när kvinnan kom från staden med sina barn. Det här är boken som jag läste i skolan, och den är en av de bästa som vi hade. Jag vet inte om det finns någon som vill köpa den här bilen av oss efter så många år.",
	"tr": "Kadın şehirden çocukları ile birlikte geldiği zaman adam evde idi. Bu benim okulda okuduğum kitap ve sahip olduğumuz en iyi kitaplardan biri. Bu arabayı almak isteyen biri var mı bilmiyorum, ama daha sonra bir kez daha soracağım. Bu ne için ve neden böyle çok?",
}

func TestGuess(t *testing.T) {
	guess := func(texts ...string) string {
		g := NewGuesser()
		for _, text := range texts {
			g.Add([]byte(text))
		}
		return g.Language()
	}
	for code, text := range guessTexts {
		// A few sentences each, as two records have them.
		if got := guess(text, strings.ToUpper(text), text); got != code {
			t.Errorf("%s is taken for %q", code, got)
		}
	}
	shirts := strings.Repeat("Nike Air Max 270 React GTX black/white size 42. ", 50)
	for name, texts := range map[string][]string{
		"nothing":        nil,
		"few words":      {"el libro de la escuela"},
		"names":          {shirts},
		"Catalan":        {strings.Repeat("L'home era a casa quan la dona va arribar de la ciutat amb els seus fills, i aquest és el llibre que vaig llegir a l'escola. ", 5)},
		"two languages":  {strings.Repeat(guessTexts["en"], 3), strings.Repeat(guessTexts["de"], 3)},
		"Chinese":        {strings.Repeat("这是我在学校读过的书，是我们最好的书之一。", 20)},
		"broken texts":   {strings.Repeat("\xff\xfe el \x00 \u0301 ", 30) + shirts + shirts},
		"a word of many": {strings.Repeat("de ", 1000)},
	} {
		if got := guess(texts...); got != "" {
			t.Errorf("%s: taken for %q", name, got)
		}
	}
	// What stands for a language in names and numbers of any.
	if got := guess(strings.Repeat("Zapatillas de correr para mujer con suela de goma, Nike Air 270. Bolso de mano con correa para el hombro, disponible en los colores que más se llevan. ", 5)); got != "es" {
		t.Errorf("Spanish products are taken for %q", got)
	}
}
