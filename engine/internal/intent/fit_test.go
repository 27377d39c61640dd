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
	tools := NewDomain(c, []Field{
		{Name: "price", Type: Number}, {Name: "rating", Type: Number}, {Name: "reviews", Type: Number}, {Name: "pieces", Type: Number},
		{Name: "weight_g", Type: Number}, {Name: "max_kg", Type: Number}, {Name: "diameter_inch", Type: Number}, {Name: "battery_ah", Type: Number},
		{Name: "amps", Type: Number}, {Name: "lumens", Type: Number}, {Name: "length_mm", Type: Number}, {Name: "width_mm", Type: Number},
		{Name: "diameter_mm", Type: Number}, {Name: "heel_cm", Type: Number}, {Name: "brand", Type: Category},
	}, nil)
	ofTools := map[string][2]float64{"price": {1.5, 349}, "rating": {4, 4.7}, "reviews": {1, 1137}, "pieces": {1, 1000}, "weight_g": {9, 20_000},
		"max_kg": {3, 175}, "diameter_inch": {0.5, 2}, "battery_ah": {1.5, 5}, "amps": {5, 13}, "lumens": {400, 3000}, "length_mm": {25, 600},
		"width_mm": {2, 560}, "diameter_mm": {3.5, 216}, "heel_cm": {1, 10}}
	camp := NewDomain(c, []Field{
		{Name: "persons", Type: Number}, {Name: "minutes", Type: Number}, {Name: "kcal", Type: Number}, {Name: "capacity_l", Type: Number}, {Name: "year", Type: Number},
	}, nil)
	cities := NewDomain(c, []Field{{Name: "population", Type: Number}, {Name: "lat", Type: Number}, {Name: "lng", Type: Number}}, nil)
	ofCities := map[string][2]float64{"population": {100_000, 22_000_000}, "lat": {-54, 78}, "lng": {-178, 179}}
	firms := NewDomain(c, []Field{
		{Name: "employee_count", Type: Number}, {Name: "num_reviews", Type: Number}, {Name: "number_of_offices", Type: Number}, {Name: "rating", Type: Number},
		{Name: "house_number", Type: Number}, {Name: "total", Type: Number},
	}, nil)
	ofFirms := map[string][2]float64{"employee_count": {1, 90_000}, "num_reviews": {0, 8000}, "number_of_offices": {1, 40}, "rating": {1, 5}, "house_number": {1, 300}, "total": {3, 9}}
	films := NewDomain(c, []Field{
		{Name: "runtime", Type: Number}, {Name: "budget", Type: Number}, {Name: "revenue", Type: Number}, {Name: "vote_average", Type: Number},
		{Name: "vote_count", Type: Number}, {Name: "release_date", Type: Date},
	}, nil)
	ofFilms := map[string][2]float64{"runtime": {60, 240}, "budget": {1e5, 3e8}, "revenue": {1, 2.8e9}, "vote_average": {1, 9.4}, "vote_count": {1, 30_000}, "release_date": {1960, 2024}}
	places := NewDomain(c, []Field{
		{Name: "elevation_m", Type: Number}, {Name: "distance_to_center_km", Type: Number}, {Name: "founded", Type: Number},
		{Name: "stars", Type: Number}, {Name: "guest_rating", Type: Number}, {Name: "duration_hours", Type: Number}, {Name: "weight_g", Type: Number},
	}, nil)
	ofPlaces := map[string][2]float64{"elevation_m": {1, 8849}, "distance_to_center_km": {0, 15}, "founded": {1100, 2020}, "stars": {1, 5}, "guest_rating": {4, 9.9}, "duration_hours": {1, 24}, "weight_g": {1, 900}}
	more := NewDomain(c, []Field{
		{Name: "salary_min", Type: Number}, {Name: "salary_max", Type: Number}, {Name: "average_rating", Type: Number}, {Name: "ratings_count", Type: Number},
		{Name: "pages", Type: Number}, {Name: "magnitude", Type: Number}, {Name: "area_km2", Type: Number}, {Name: "posted_at", Type: Date},
	}, nil)
	ofMore := map[string][2]float64{"salary_min": {25_000, 90_000}, "salary_max": {60_000, 200_000}, "average_rating": {1, 5}, "ratings_count": {0, 500_000},
		"pages": {20, 1200}, "magnitude": {1, 9.1}, "area_km2": {2, 1.7e7}, "posted_at": {2025, 2026}}
	squad := NewDomain(c, []Field{{Name: "age", Type: Number}, {Name: "goals", Type: Number}, {Name: "market_value", Type: Number}, {Name: "price", Type: Number}}, nil)
	ofSquad := map[string][2]float64{"age": {16, 41}, "goals": {0, 60}, "market_value": {1e6, 2e8}, "price": {1e6, 2e8}}
	hotels := NewDomain(c, []Field{{Name: "distance_to_center_km", Type: Number}, {Name: "stars", Type: Number}}, nil)
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
		// Other numbers that it could be, but nothing says so.
		{tools, ofTools, "tools under 60", `!price < 60 (under 60)`},
		{tools, ofTools, "tools over 60", `!price > 60 (over 60)`},
		{tools, ofTools, "tools between 20 and 60", `!price 20..60 (between 20 and 60)`},
		{tools, ofTools, "tools max 60", `!price <= 60 (max 60)`},
		{tools, ofTools, "60 or less", `!price <= 60 (60 or less)`},
		{tools, ofTools, "battery under 60", `!price < 60 (under 60)`},
		{tools, nil, "tools under 60", `~price < 60 (under 60)`},
		{tools, ofTools, "saw with reviews under 60", `!reviews < 60 (reviews under 60)`},
		{tools, ofTools, "set of pieces costs under 60", `!price < 60 (costs under 60)`},
		{tools, ofTools, "60+", `~price >= 60 (60+)`},
		{tools, ofTools, "saw 60 plus", `~price >= 60 (60 plus)`},
		{tools, ofTools, "tools over 4", `~price > 4 (over 4)`},
		// Converted numbers, and parts of units.
		{tools, ofTools, "16oz hammer", `~weight_g 445..463 (16oz)`},
		{tools, ofTools, "over 16 oz", `!weight_g > 453.59237 (over 16 oz)`},
		{tools, ofTools, "3 kg hammer", `~weight_g = 3000 (3 kg)`},
		{tools, ofTools, "max 150 kg", `!max_kg <= 150 (max 150 kg)`},
		{tools, ofTools, `1/2" bit`, `~diameter_inch = 0.5 (1/2")`},
		{tools, ofTools, "1 1/2 inch", `~diameter_inch = 1.5 (1 1/2 inch)`},
		{tools, ofTools, "1½ inch", `~diameter_inch = 1.5 (1½ inch)`},
		{tools, ofTools, "¾-inch", `~diameter_inch = 0.75 (¾-inch)`},
		{tools, ofTools, "over 3/4 inch", `!diameter_inch > 0.75 (over 3/4 inch)`},
		{tools, ofTools, "1/2 price", ``},
		{tools, ofTools, "5 amp hour", `~battery_ah = 5 (5 amp hour)`},
		{tools, ofTools, "5 amp", `~amps = 5 (5 amp)`},
		{tools, ofTools, "lamp 400 lumens", `~lumens = 400 (400 lumens)`},
		{tools, ofTools, "lamp 2000 lumens", `~lumens = 2000 (2000 lumens)`},
		{tools, ofTools, "lumen lamp", `~brand = "Lumen" (lumen)`},
		// Words for an aspect.
		{tools, ofTools, "longer than 50 mm", `!length_mm > 50 (longer than 50 mm)`},
		{tools, ofTools, "wider than 5 cm", `!width_mm > 50 (wider than 5 cm)`},
		{tools, ofTools, "heavier than 2 kg", `!weight_g > 2000 (heavier than 2 kg)`},
		{tools, ofTools, "50 mm wide", `~width_mm = 50 (50 mm wide)`},
		{tools, ofTools, "over 50 mm long", `!length_mm > 50 (over 50 mm long)`},
		{tools, ofTools, "over 50 mm", ``},
		{tools, ofTools, "heels 10 cm", `~heel_cm = 10 (heels 10 cm)`},
		// People and times.
		{camp, nil, "2 man tent", `~persons = 2 (2 man)`},
		{camp, nil, "2-person tent", `~persons = 2 (2-person)`},
		{camp, nil, "for eight people", `~persons = 8 (eight people)`},
		{camp, nil, "sleeps 4", `~persons = 4 (sleeps 4)`},
		{camp, nil, "sleeps four", `~persons = 4 (sleeps four)`},
		{camp, nil, "at least two persons", `!persons >= 2 (at least two persons)`},
		{camp, nil, "one litre", ``},
		{camp, nil, "two tents", ``},
		{camp, nil, "in 20 minutes", `!minutes <= 20 (in 20 minutes)`},
		{camp, nil, "ready in 20 min", `!minutes <= 20 (ready in 20 min)`},
		{camp, nil, "in under an hour", `!minutes < 60 (in under an hour)`},
		{camp, nil, "half an hour", `~minutes = 30 (half an hour)`},
		{camp, nil, "an hour", `~minutes = 60 (an hour)`},
		{camp, nil, "in 1994", `~year = 1994 (in 1994)`},
		{camp, nil, "under 300 calories", `!kcal < 300 (under 300 calories)`},
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
		// What a field counts, by other words than its name.
		{cities, ofCities, "over 1 million inhabitants", `!population > 1000000 (over 1 million inhabitants)`},
		{cities, ofCities, "with more than 5 million people", `!population > 5000000 (more than 5 million people)`},
		{cities, ofCities, "500,000 residents or more", `!population >= 500000 (500,000 residents or more)`},
		{cities, ofCities, "fewer than 2000 people", `!population < 2000 (fewer than 2000 people)`},
		{camp, nil, "at least 5 people", `!persons >= 5 (at least 5 people)`},
		{firms, ofFirms, "over 100 employees", `!employee_count > 100 (over 100 employees)`},
		{firms, ofFirms, "more than 50 staff", `!employee_count > 50 (more than 50 staff)`},
		{firms, ofFirms, "at least 500 reviews", `!num_reviews >= 500 (at least 500 reviews)`},
		{firms, ofFirms, "over 2000 reviews", `!num_reviews > 2000 (over 2000 reviews)`},
		{firms, ofFirms, "offices over 3", `!number_of_offices > 3 (offices over 3)`},
		{firms, ofFirms, "house over 3", ``},
		{cities, ofCities, "largest city in africa", `!EXISTS population (largest city)`},
		{cities, ofCities, "most populous places", `!EXISTS population (most populous)`},
		{firms, ofFirms, "most reviews", `!EXISTS num_reviews (most reviews)`},
		{firms, ofFirms, "largest city", ``},
		// Large numbers that only one field has.
		{cities, ofCities, "cities over 1 million", `!population > 1000000 (over 1 million)`},
		{cities, ofCities, "cities under 500k", `!population < 500000 (under 500k)`},
		{cities, ofCities, "cities over 30 million", ``},
		{cities, ofCities, "cities over 50", ``},
		{cities, nil, "cities over 1 million", ``},
		{firms, ofFirms, "firms over 1k", ``},
		{films, ofFilms, "films made over 500 million", `!revenue > 500000000 (made over 500 million)`},
		{films, ofFilms, "revenue over 1.5 billion", `!revenue > 1500000000 (revenue over 1.5 billion)`},
		{films, ofFilms, "over 10000 votes", `!vote_count > 10000 (over 10000 votes)`},
		// What names of fields measure, and what stands beside numbers.
		{films, ofFilms, "longer than 3 hours", `!runtime > 180 (longer than 3 hours)`},
		{films, ofFilms, "under 90 minutes", `!runtime < 90 (under 90 minutes)`},
		{films, ofFilms, "rated above 8", `!vote_average > 8 (rated above 8)`},
		{films, ofFilms, "released after 2010", `!release_date >= 2011-01-01 (released after 2010)`},
		{places, ofPlaces, "founded before 1900", `!founded < 1900 (founded before 1900)`},
		{places, ofPlaces, "established in 1899", `~founded = 1899 (established in 1899)`},
		{places, ofPlaces, "rated over 9", `!guest_rating > 9 (rated over 9)`},
		{places, ofPlaces, "rated over 3", `!stars > 3 (rated over 3)`},
		{places, ofPlaces, "higher than 4000 m", `!elevation_m > 4000 (higher than 4000 m)`},
		{hotels, ofPlaces, "within 2 km of the center", `!distance_to_center_km <= 2 (within 2 km of the center)`},
		// Superlatives.
		{films, ofFilms, "highest grossing", `!EXISTS revenue (highest grossing)`},
		{films, ofFilms, "longest film", `!EXISTS runtime (longest)`},
		{films, ofFilms, "highest mountain", ``},
		{places, ofPlaces, "highest mountain", `!EXISTS elevation_m (highest)`},
		{places, ofPlaces, "closest to the center", `!EXISTS distance_to_center_km (closest to the center)`},
		{places, ofPlaces, "heaviest", `!EXISTS weight_g (heaviest)`},
		// Two ends of one thing.
		{more, ofMore, "jobs over 80k", `!salary_min > 80000 (over 80k)`},
		{more, ofMore, "jobs paying at least 70k", `!salary_min >= 70000 (paying at least 70k)`},
		{more, ofMore, "salary over 150000", `!salary_max > 150000 (salary over 150000)`},
		{more, ofMore, "salary under 80000", `!salary_min < 80000 (salary under 80000)`},
		{more, ofMore, "salary between 80000 and 120000", `!salary_min >= 80000 AND salary_max <= 120000 (salary between 80000 and 120000)`},
		{more, ofMore, "jobs 50k to 70k", `!salary_min 50000..70000 (50k to 70k)`},
		{more, ofMore, "highest paying jobs", `!EXISTS salary_max (highest paying)`},
		// What is counted is not what it counts.
		{more, ofMore, "highest rated", `!EXISTS average_rating (highest rated)`},
		{more, ofMore, "over 10000 ratings", `!ratings_count > 10000 (over 10000 ratings)`},
		{more, ofMore, "rated above 4", `!average_rating > 4 (rated above 4)`},
		{more, ofMore, "longest book", `!EXISTS pages (longest)`},
		{more, ofMore, "over magnitude 7", `!magnitude > 7 (over magnitude 7)`},
		{more, ofMore, "strongest earthquake", `!EXISTS magnitude (strongest)`},
		{more, ofMore, "over 1 million km²", `!area_km2 > 1000000 (over 1 million km²)`},
		{more, ofMore, "posted since 2026", `!posted_at >= 2026-01-01 (posted since 2026)`},
		{squad, ofSquad, "players under 21", `!age < 21 (under 21)`},
		{squad, ofSquad, "youngest player", `!EXISTS age (youngest)`},
		{squad, ofSquad, "worth over 100 million", `!price > 100000000 (worth over 100 million)`},
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
		v := vocabularyOf(c, "brand: Lumen*5")
		v.spans = tt.spans
		if got := understood(t, tt.d, v, tt.q); got != tt.want {
			t.Errorf("%q, values known: %v:\n got %s\nwant %s", tt.q, tt.spans != nil, got, tt.want)
		}
	}
}
