package main

import (
	"fmt"
	"math/rand/v2"
)

// lastNumber is the highest personnel number.
const lastNumber = 9_999_999

// employee is an invented one. Everything follows from the number, so that a longer table begins as a shorter one.
type employee struct {
	number            int
	name              string
	street, town      string
	position, since   string
	taxClass          string
	salary            cents
	overtime          tenths // hours; 0 for most
	travel, bicycle   cents  // 0 for most
	months            int64  // since January or since the first day
	leave, leaveTaken tenths // days
	account           string
}

var (
	firstNames = []string{"Anna", "Birgit", "Cem", "Dorothea", "Emre", "Frieda", "Günther", "Hanna", "İlknur", "Jörg", "Katarzyna", "Łukasz", "Małgorzata", "Niels", "Ольга", "Παναγιώτης", "Ruth", "Søren", "Thérèse", "Zoë"}
	lastNames  = []string{"Abendroth", "Bäcker", "Çelik", "Dupré", "Eßlinger", "Førland", "Grünewald", "Hölderlin", "Iversen", "Jørgensen", "Kowalska", "Löwenthal", "Meißner", "Nowak", "Öztürk", "Παπαδοπούλου", "Rønne", "Schäfer", "Šimková", "Weiß"}
	streets    = []string{"Am Sandtorkai", "Bernstorffstraße", "Clemens-Schultz-Straße", "Elbchaussee", "Große Elbstraße", "Hein-Hoyer-Straße", "Lange Reihe", "Ölmühlenweg"}
	towns      = []string{"20457 Hamburg", "21073 Hamburg", "22767 Hamburg", "21335 Lüneburg", "23552 Lübeck", "25524 Itzehoe"}
	positions  = []string{"Joiner, workshop", "Upholsterer", "Designer", "Driver", "Bookkeeper", "Clerk, showroom", "Apprentice", "Head of workshop"}
	taxClasses = []string{"I, no church", "II", "III", "IV, factor 0.973", "V, no church"}
)

func employ(number int) employee {
	random := rand.New(rand.NewPCG(2026, uint64(number))) //nolint:gosec // the same ones each time
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	e := employee{
		number: number, name: pick(firstNames) + " " + pick(lastNames), street: fmt.Sprintf("%s %d", pick(streets), 1+random.IntN(180)), town: pick(towns),
		position: pick(positions), since: fmt.Sprintf("1 March %d", 1990+random.IntN(36)), taxClass: pick(taxClasses),
		salary: cents(180_000 + 5_000*random.Int64N(120)), months: 10, leave: 300, account: account(random.Int64N(10_000_000_000)),
	}
	if random.IntN(3) == 0 {
		e.overtime = tenths(5 * (1 + random.Int64N(40)))
	}
	if random.IntN(5) == 0 {
		e.travel = cents(500 + random.Int64N(30_000))
	}
	if random.IntN(8) == 0 {
		e.bicycle = 3_800
	}
	e.leaveTaken = tenths(5 * random.Int64N(61))
	return e
}

// account makes a German IBAN of a bank that does not exist (ISO 13616, with the check digits of ISO 7064 MOD 97-10).
func account(number int64) string {
	const bank, germany = "99999999", "131400" // D is 13, E is 14, and 00 stands for the check digits
	basic := bank + fmt.Sprintf("%010d", number)
	return fmt.Sprintf("DE%02d%s", 98-remainder(basic+germany), basic)
}

// remainder divides a number of any length by 97.
func remainder(digits string) int {
	rest := 0
	for i := range len(digits) {
		rest = (10*rest + int(digits[i]-'0')) % 97
	}
	return rest
}
