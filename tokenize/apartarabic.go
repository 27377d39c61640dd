package tokenize

import (
	"strings"
	"sync"
)

// arabicApart are Arabic words that are kept apart from others, folded: those that begin as the article or "and" does, or
// end as a dual, a plural or a feminine; see apart.go. Their plurals, of which many are another word by their letters, are with
// them.
var arabicApart = sync.OnceValue(func() apart {
	return readApart(string(Fold(nil, []byte(`
سكين سكاكين, سكان, مكان اماكن امكنة, مكة, ديون, لون الوان, الم الالام والالام, مهم المهم والمهم, الة الات, اله الاله الهة, ابن ابنه ابناء, مهنة مهن المهن, ام: امه امها, مكتبة مكتبات, مكتب مكاتب, جامعة جامعات, جامع جوامع,
دواء ادوية, اداة ادوات, تذكرة تذاكر, بنت بنات, كلية كليات, هوية هويات, الله والله بالله لله, ولاية ولايات, وفيات, وفاة, واحد واحدة,
عملية عمليات, عملة عملات, شخصية شخصيات, سنة سنوات سنين, انسان, امين, امان, امة, بيان بيانات, مليون ملايين, ايران ايراني ايرانية,
وزارة وزارات, وزير وزراء, سلمان, شرطة, شرط شروط, شهرة, كمية كميات, قانون قوانين, قران, قرية قري, قرن قرون, دورة دورات, دوري, سيدة سيدات, نعمة, مدة,
سلطان سلاطين, سلطة سلطات, نظرية نظريات, بحرين بحريني, عشرين عشرون, كيان, عادة عادات, عادي عادية, اعلان اعلانات, عين عيون, عينة عينات, سورة,
حسين, جمعية جمعيات, جمعة, عمان عماني, قضية قضايا, لعبة العاب, الف الاف, الماس, الماني المانية المان, المانيا, البوم البومات, الكتروني الكترونية الكترونيات,
الغاء, التزام التزامات, التهاب التهابات, التحاق, التقاط, القاء, الهام, الياف, الواح, القاب لقب, الحان لحن, لبن البان, لبنان لبناني لبنانية,
بالغ بالغة بالغين بالغون, بالون بالونات, كالسيوم, محل محلات, محلي محلية محليين, جنسية جنسيات, حاجة حاجات, حاج حجاج, مشي, بشرة, بلدية بلديات,
وكالة وكالات, وكيل وكلاء, وجود, جودة, وسام اوسمة, وسيلة وسائل, وسادة وسائد, سودان سوداني سودانية, مدينة مدن, مدني مدنية مدنيين, خطة خطط, خط خطوط,
مادة مواد, خبرة خبرات, خبر اخبار, قدرة قدرات, فرقة, تركي تركية اتراك, فنان فنانة فنانين فنانون فنانات, حرية حريات, اسرة اسر, جنون, جنيه جنيهات, جنة,
وجهة وجهات, وجه وجوه وجهه, صفة صفات, صف صفوف, طيران, يمين, ميلان, سيرة, تربية, تربة, سر اسرار, دهون, ضمان ضمانات, عدنان, ميدان ميادين, تامين تامينات,
شان شؤون, زيتون, شاي, حيوان حيوانات, حصان احصنة, حصة حصص, لسان, معدات, معدة, جدار جدران, كرسي كراسي, جدة, كرة كرات, ملكة ملكات, ملكية ملكيات,
طالب طلاب طلبة, طلب طلبات طلبه, رسمي رسمية, حلقة حلقات, قصة قصص, اسنان, عنوان عناوين, رمضان, فستان فساتين, بستان بساتين, دكان دكاكين, تلفزيون تلفزيونات,
صابون, ليمون, كانون, زبون زبائن, مجنون مجانين, تمرين تمارين, طحين, ياسمين, عجين, بنزين, فاكهة فواكه, اتجاه اتجاهات, راي اراء, حي احياء, سرطان, ثعبان,
قميص قمصان, خزان خزانات, برلمان, ابنة, سعودي سعودية سعوديين, غاية, ستة, سعي, وعي, شبه, فقه
`))))
})

// arabicOwnPrefixes are what may be written together with a word of the list, or nothing.
var arabicOwnPrefixes = append([]string{"", "و"}, arabicPrefixes[:]...)

// arabicOwn returns the stem of a word of the list with what is written together with it. A feminine may end in ه.
func arabicOwn(word string) (stem string, ok bool) {
	a := arabicApart()
	for _, prefix := range arabicOwnPrefixes {
		rest, is := strings.CutPrefix(word, prefix)
		if !is || prefix == "و" && arabicLetters(rest) <= leastAnd {
			continue
		}
		if stem, ok = a.forms[rest]; ok {
			return stem, true
		}
		if before, is := strings.CutSuffix(rest, "ه"); is {
			if stem, ok = a.forms[before+"ة"]; ok {
				return stem, true
			}
		}
		for _, pronoun := range arabicPronouns {
			owned, is := strings.CutSuffix(rest, pronoun)
			if !is || arabicLetters(owned) < leastOwned {
				continue
			}
			if stem, ok = a.forms[owned]; ok {
				return stem, true
			}
			if before, is := strings.CutSuffix(owned, "ت"); is {
				if stem, ok = a.forms[before+"ة"]; ok {
					return stem, true
				}
			}
		}
	}
	return "", false
}
