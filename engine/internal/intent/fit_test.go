package intent

import "testing"

// Which field a number belongs to, where the values of the records are known. In these
// tables ! is a certain part and ~ another one.
func TestNumbersFitTheirFields(t *testing.T) {
	c := NewCues("en")
	cars := NewDomain(c, []Field{
		{Name: "make", Type: Category}, {Name: "price", Type: Number}, {Name: "year", Type: Number}, {Name: "doors", Type: Number},
		{Name: "mileage", Type: Number}, {Name: "engine_l", Type: Number},
	}, nil)
	ofCars := map[string][2]float64{"price": {900, 62_000}, "year": {1998, 2024}, "doors": {2, 5}, "mileage": {10, 240_000}, "engine_l": {0.9, 6.2}}
	laptops := NewDomain(c, []Field{
		{Name: "ram_gb", Type: Number}, {Name: "storage_gb", Type: Number}, {Name: "price", Type: Number}, {Name: "rating", Type: Number}, {Name: "touchscreen", Type: Bool},
	}, nil)
	ofLaptops := map[string][2]float64{"ram_gb": {4, 64}, "storage_gb": {128, 2048}, "price": {250, 3400}, "rating": {2, 5}}
	books := NewDomain(c, []Field{{Name: "year", Type: Number}, {Name: "pages", Type: Number}, {Name: "price", Type: Number}}, nil)
	ofBooks := map[string][2]float64{"year": {1813, 2023}, "pages": {90, 1225}, "price": {4, 40}}
	flats := NewDomain(c, []Field{
		{Name: "rent", Type: Number}, {Name: "bedrooms", Type: Number}, {Name: "size_m2", Type: Number},
		{Name: "pets_allowed", Type: Bool}, {Name: "furnished", Type: Bool}, {Name: "has_garden", Type: Bool},
	}, nil)
	ofFlats := map[string][2]float64{"rent": {450, 2900}, "bedrooms": {0, 5}, "size_m2": {18, 160}}
	meals := NewDomain(c, []Field{{Name: "average_price", Type: Number}, {Name: "price_level", Type: Number}}, nil)
	ofMeals := map[string][2]float64{"average_price": {6, 80}, "price_level": {1, 4}}
	jobs := NewDomain(c, []Field{{Name: "salary", Type: Number}, {Name: "years_experience", Type: Number}, {Name: "remote", Type: Bool}}, nil)
	ofJobs := map[string][2]float64{"salary": {30_000, 180_000}, "years_experience": {0, 12}}
	for _, tt := range []struct {
		d       *Domain
		spans   map[string][2]float64
		q, want string
	}{
		// Other numbers that are far from it do not make a price doubtful.
		{cars, ofCars, "vw under 10k", `!price < 10000 (under 10k)`},
		{cars, nil, "vw under 10k", `~price < 10000 (under 10k)`},
		{flats, ofFlats, "flat under 4", `~rent < 4 (under 4)`},
		{meals, ofMeals, "indian under $30", `!average_price < 30 (under $30)`},
		{meals, ofMeals, "indian under $100", `!average_price < 100 (under $100)`},
		{meals, nil, "indian under $30", ``},
		// Years that could be prices.
		{cars, ofCars, "golf 2020+", `!year >= 2020 (2020+)`},
		{cars, ofCars, "golf at least 2019", `!year >= 2019 (at least 2019)`},
		{cars, ofCars, "golf min 2019", `!year >= 2019 (min 2019)`},
		{cars, ofCars, "golf 2019 and up", `!year >= 2019 (2019 and up)`},
		{cars, ofCars, "golf 2019 onwards", `!year >= 2019 (2019 onwards)`},
		{cars, ofCars, "golf at least 2000", `!price >= 2000 (at least 2000)`},
		{cars, ofCars, "golf under 2000", `!price < 2000 (under 2000)`},
		{books, ofBooks, "over 1990", `!year > 1990 (over 1990)`},
		{cars, nil, "golf at least 2019", `~price >= 2019 (at least 2019)`},
		{cars, ofCars, "golf 2015 price max 9000", `~year = 2015 (2015); !price <= 9000 (price max 9000)`},
		// Numbers that could be years.
		{books, ofBooks, "over 1000 pages", `!pages > 1000 (over 1000 pages)`},
		{books, ofBooks, "1000 pages or more", `!pages >= 1000 (1000 pages or more)`},
		{books, ofBooks, "between 1000 and 1200 pages", `!pages 1000..1200 (between 1000 and 1200 pages)`},
		{books, ofBooks, "> 1000 pages", `!pages > 1000 (> 1000 pages)`},
		{books, ofBooks, "over 900 pages", `!pages > 900 (over 900 pages)`},
		// Two fields of one unit.
		{laptops, ofLaptops, "16gb ram 512gb storage", `~ram_gb = 16 (16gb ram); ~storage_gb = 512 (512gb storage)`},
		{laptops, ofLaptops, "ram 16gb storage 512gb", `~ram_gb = 16 (ram 16gb); ~storage_gb = 512 (storage 512gb)`},
		{laptops, ofLaptops, "16gb 512gb", `~ram_gb = 16 (16gb); ~storage_gb = 512 (512gb)`},
		{laptops, ofLaptops, "16 gb ram 1tb", `~ram_gb = 16 (16 gb ram); ~storage_gb 1000..1024 (1tb)`},
		{laptops, ofLaptops, "at least 16gb ram", `!ram_gb >= 16 (at least 16gb ram)`},
		{laptops, ofLaptops, "1tb", `~storage_gb 1000..1024 (1tb)`},
		{laptops, ofLaptops, "storage 1 tb", `~storage_gb 1000..1024 (storage 1 tb)`},
		{laptops, nil, "512gb", ``},
		{laptops, nil, "512gb storage", `~storage_gb = 512 (512gb storage)`},
		{laptops, nil, "16gb ram 64gb", `~ram_gb = 16 (16gb ram); ~storage_gb = 64 (64gb)`},
		{laptops, ofLaptops, "touch screen laptop", `~touchscreen = true (touch screen)`},
		// Units.
		{cars, ofCars, "under 50000 miles", `!mileage < 50000 (under 50000 miles)`},
		{cars, ofCars, "less than 80000 km", `!mileage < 80000 (less than 80000 km)`},
		{flats, ofFlats, "over 80 sqm", `!size_m2 > 80 (over 80 sqm)`},
		{flats, ofFlats, "over 80 square meters", `!size_m2 > 80 (over 80 square meters)`},
		{flats, ofFlats, "80 m²", `~size_m2 = 80 (80 m²)`},
		{flats, ofFlats, "size over 80 m2", `!size_m2 > 80 (size over 80 m2)`},
		{flats, ofFlats, "at least 1000 square feet", `!size_m2 >= 92.90304 (at least 1000 square feet)`},
		{jobs, ofJobs, "5+ years", `!years_experience >= 5 (5+ years)`},
		{jobs, ofJobs, "at least 3 years experience", `!years_experience >= 3 (at least 3 years experience)`},
		{jobs, ofJobs, "over 80k", `!salary > 80000 (over 80k)`},
		// Ranges.
		{cars, ofCars, "15k to 25k", `!price 15000..25000 (15k to 25k)`},
		{jobs, ofJobs, "40k-60k", `!salary 40000..60000 (40k-60k)`},
		{cars, ofCars, "between 15 and 25k", `!price 15000..25000 (between 15 and 25k)`},
		{cars, ofCars, "5-10k euro", `!price 5000..10000 (5-10k euro)`},
		{cars, ofCars, "500 to 1k", `!price 500..1000 (500 to 1k)`},
		{cars, ofCars, "5000-10000", `!price 5000..10000 (5000-10000)`},
		{cars, nil, "5000-10000", ``},
		{cars, ofCars, "2015-2020", `!year 2015..2020 (2015-2020)`},
		{cars, ofCars, "20-40", ``},
		// Yes and no.
		{flats, ofFlats, "pets allowed", `~pets_allowed = true (pets allowed)`},
		{flats, ofFlats, "pet friendly flat", `~pets_allowed = true (pet friendly)`},
		{flats, ofFlats, "no pets", `~NOT pets_allowed = true (no pets)`},
		{flats, ofFlats, "no pets allowed", `~NOT pets_allowed = true (no pets allowed)`},
		{flats, ofFlats, "pets not allowed", `~NOT pets_allowed = true (pets not allowed)`},
		{flats, ofFlats, "unfurnished with garden", `~NOT furnished = true (unfurnished); ~has_garden = true (garden)`},
		{flats, ofFlats, "not furnished", `~NOT furnished = true (not furnished)`},
		{jobs, ofJobs, "non-remote", `~NOT remote = true (non-remote)`},
	} {
		v := vocabularyOf(c)
		v.spans = tt.spans
		if got := understood(t, tt.d, v, tt.q); got != tt.want {
			t.Errorf("%q, values known: %v:\n got %s\nwant %s", tt.q, tt.spans != nil, got, tt.want)
		}
	}
}
