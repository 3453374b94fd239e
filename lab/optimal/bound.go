package optimal

// whole is one in the numbers of [search.needed]: its many divisors keep the loss by rounding down small.
const whole = 24

// needed returns a lower bound of how many diagonals the notches need, impossible if they need others.
//
// Each notch has to be divided by one diagonal that leaves at most 180° on either side, or by two others. The
// bound solves the linear program of this nearly, from below: every notch asks for a price, every diagonal
// pays the full price at each notch that it divides alone and half the price at others, and no diagonal may
// pay more than one in total. The sum of all prices is then a bound. Prices start as each notch's share in
// the worth of its best diagonal, and are raised one by one as far as the diagonals allow.
func (s *search) needed(diagonals []diagonal) int {
	n := len(s.passes)
	s.both = s.both[:0]
	s.worth, s.price, s.first = resized(s.worth, n), resized(s.price, n), resized(s.first, n+1)
	clear(s.worth)
	clear(s.first)
	for _, d := range diagonals {
		u, v := s.ends(d)
		s.both = append(s.both, [2]end{u, v})
		sum := u.saves + v.saves
		s.worth[u.at], s.worth[v.at] = max(s.worth[u.at], sum), max(s.worth[v.at], sum)
		s.first[u.at]++
		s.first[v.at]++
	}
	for i := range n {
		s.first[i+1] += s.first[i]
		s.price[i] = 0
		if s.reflex(int32(i)) {
			if s.worth[i] == 0 {
				return impossible // no diagonal can divide it any more
			}
			s.price[i] = 2 * whole / s.worth[i]
		}
	}
	// The ends of diagonals by their pass, each with the other end beside it.
	s.around = append(s.around[:0], s.both...)
	s.around = append(s.around, s.both...)
	for _, d := range s.both {
		for _, e := range [...][2]end{d, {d[1], d[0]}} {
			s.first[e[0].at]--
			s.around[s.first[e[0].at]] = e
		}
	}
	sum := int32(0)
	for i := range n {
		if s.price[i] == 0 {
			continue
		}
		raise := int32(2 * whole)
		for _, e := range s.around[s.first[i]:s.first[i+1]] {
			if e[0].saves > 0 {
				left := 2*whole - e[0].saves*s.price[i] - e[1].saves*s.price[e[1].at]
				raise = min(raise, left/e[0].saves)
			}
		}
		s.price[i] += raise
		sum += s.price[i]
	}
	return int(sum+whole-1) / whole
}
