package index

// Numbers without a piece.
//
// Idea: pieces that come together mostly go together, and a change copies each page that the change touches. Hence new pieces get
// the numbers of one page, and of a next page if these are not enough. A page waits for new pieces when half of its numbers
// have no piece. Pages wait in the order in which they became half empty, so numbers rest for long.
//
// Guarantees: at most twice as many numbers as pieces, and a page (TestNumbersStayTogether).

import "math/bits"

// spares knows the numbers without a piece: those of pages in use, counted from the first page with pieces on.
type spares struct {
	free    []uint8 // by page: bit k is set if number k of the page has no piece
	waiting []bool  // by page
	pages   queue   // those that wait
	now     uint32  // the page of the latest piece
}

// put adds a number without a piece, counted from the first page with pieces on.
func (s *spares) put(n uint32) {
	page := n >> regionBits
	s.free[page] |= 1 << (n % regionsPerPage)
	if bits.OnesCount8(s.free[page]) >= regionsPerPage/2 && !s.waiting[page] && page != s.now {
		s.waiting[page] = true
		s.pages.put(page)
	}
}

// take returns a number for a new piece. Every page that has not been full yet is the last one.
func (s *spares) take() uint32 {
	if int(s.now) == len(s.free) || s.free[s.now] == 0 {
		page, ok := s.pages.take()
		if !ok {
			page = uint32(len(s.free))
			s.grow()
		}
		s.now, s.waiting[page] = page, false
	}
	k := uint32(bits.TrailingZeros8(s.free[s.now]))
	s.free[s.now] &^= 1 << k
	return s.now<<regionBits + k
}

// grow adds a page of numbers without a piece.
func (s *spares) grow() {
	s.free, s.waiting = append(s.free, 1<<regionsPerPage-1), append(s.waiting, false)
}
