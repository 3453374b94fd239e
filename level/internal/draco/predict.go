package draco

import "fmt"

// integers reads the integer values of an attribute; only those of positions are restored from their predictions.
func (d *decoder) integers(a *attribute, order []int32, count, components int) error {
	method := int8(d.u8())
	transform := int8(transformWrap)
	if method != predictNone {
		transform = int8(d.u8())
		if transform != transformWrap && transform != transformOcta && transform != transformOctaCa {
			return fmt.Errorf("a transform of type %d", transform)
		}
	}
	values, err := d.corrections(count, components)
	if err != nil {
		return err
	}
	p := predictor{corners: d.corners, order: order, n: components, values: values}
	if method == predictNone {
		p.signs()
		a.values = p.values
		return d.err
	}
	if transform == transformWrap {
		p.signs()
	}
	if err := d.predictionData(method, transform, &p); err != nil {
		return err
	}
	if a.kind != position || components != 3 {
		return nil
	}
	if transform != transformWrap || method != predictDifference && order == nil {
		return fmt.Errorf("positions by prediction %d and transform %d", method, transform)
	}
	a.values = p.values
	return p.restore(method)
}

// corrections reads the differences of values from their predictions.
func (d *decoder) corrections(count, components int) ([]int32, error) {
	total := count * components
	if d.room -= total; d.room < 0 {
		return nil, fmt.Errorf("attributes have more than %d numbers", mostValues*d.most)
	}
	if compressed := d.u8(); compressed != 0 {
		symbols, err := d.symbols(total, components)
		if err != nil {
			return nil, err
		}
		out := make([]int32, total)
		for i := range out {
			out[i] = int32(symbols[i])
		}
		return out, nil
	}
	size := d.u8()
	if size < 1 || size > 4 {
		return nil, fmt.Errorf("values of %d bytes", size)
	}
	all := d.take(uint64(total) * uint64(size))
	if d.err != nil {
		return nil, d.err
	}
	out := make([]int32, total)
	for i := range out {
		v := uint32(0)
		for k := range int(size) {
			v |= uint32(all[i*int(size)+k]) << (8 * k)
		}
		out[i] = int32(v)
	}
	return out, nil
}

// predictionData reads what a prediction needs besides corrections.
func (d *decoder) predictionData(method, transform int8, p *predictor) error {
	switch method {
	case predictDifference, predictParallelogram, predictMulti:
	case predictConstrainedMulti:
		for i := range p.creases {
			n := d.varint()
			if n > 3*uint64(d.most) {
				return fmt.Errorf("%d creases", n)
			}
			if n == 0 {
				continue
			}
			f, err := d.flags()
			if err != nil {
				return err
			}
			p.creases[i], p.creaseCount[i] = f, n
		}
	case predictTexture:
		d.u32()
		if _, err := d.flags(); err != nil {
			return err
		}
	case predictNormal:
	default:
		return fmt.Errorf("a prediction of type %d", method)
	}
	p.low, p.high = int32(d.u32()), int32(d.u32())
	if transform == transformWrap && p.low > p.high {
		return fmt.Errorf("values from %d to %d", p.low, p.high)
	}
	if method == predictNormal {
		if _, err := d.flags(); err != nil {
			return err
		}
	}
	return d.err
}

// predictor restores values from corrections.
type predictor struct {
	*corners
	order       []int32
	index       []int32 // of each vertex, its value
	n           int     // components
	values      []int32
	low, high   int32
	creases     [4]flags
	creaseCount [4]uint64
}

// signs turns symbols into signed numbers: the lowest bit is the sign.
func (p *predictor) signs() {
	for i, v := range p.values {
		s := uint32(v)
		if p.values[i] = int32(s >> 1); s&1 != 0 {
			p.values[i] = -int32(s>>1) - 1
		}
	}
}

// restore turns corrections into values, in order.
func (p *predictor) restore(method int8) error {
	count := len(p.values) / p.n
	if method != predictDifference {
		p.index = make([]int32, p.vertices)
		for i, c := range p.order {
			p.index[p.vertex[c]] = int32(i)
		}
	}
	var last, guess [3]int32
	for i := range count {
		guess = last
		switch method {
		case predictParallelogram:
			if i > 0 {
				if g, ok := p.parallelogram(i, p.order[i]); ok {
					guess = g
				}
			}
		case predictMulti:
			if i > 0 {
				if g, ok := p.multi(i); ok {
					guess = g
				}
			}
		case predictConstrainedMulti:
			if i > 0 {
				g, ok, err := p.constrained(i)
				if err != nil {
					return err
				}
				if ok {
					guess = g
				}
			}
		}
		span := 1 + p.high - p.low
		for c := range 3 {
			v := &p.values[3*i+c]
			*v += min(p.high, max(p.low, guess[c]))
			if *v > p.high {
				*v -= span
			} else if *v < p.low {
				*v += span
			}
			last[c] = *v
		}
	}
	return nil
}

// parallelogram predicts value i from the triangle opposite to a corner, whose values must all be known.
func (p *predictor) parallelogram(i int, c int32) (guess [3]int32, ok bool) {
	o := p.opposite[c]
	if o == none {
		return guess, false
	}
	a, b, d := int(p.index[p.vertex[o]]), int(p.index[p.vertex[next(o)]]), int(p.index[p.vertex[before(o)]])
	if a >= i || b >= i || d >= i {
		return guess, false
	}
	for k := range 3 {
		guess[k] = p.values[3*b+k] + p.values[3*d+k] - p.values[3*a+k]
	}
	return guess, true
}

// multi predicts value i as the mean of all parallelograms around its vertex.
func (p *predictor) multi(i int) (guess [3]int32, ok bool) {
	start := p.order[i]
	count := int32(0)
	for c, steps := start, 0; c != none && steps < len(p.vertex); steps++ {
		if g, ok := p.parallelogram(i, c); ok {
			count++
			for k := range guess {
				guess[k] += g[k]
			}
		}
		if c = p.right(c); c == start {
			break
		}
	}
	return p.mean(guess, count)
}

func (p *predictor) mean(sum [3]int32, count int32) ([3]int32, bool) {
	if count == 0 {
		return sum, false
	}
	for k := range sum {
		sum[k] /= count
	}
	return sum, true
}

// constrained predicts value i as the mean of at most four parallelograms around its vertex, without those across creases.
func (p *predictor) constrained(i int) (guess [3]int32, ok bool, err error) {
	var found [4][3]int32
	n := 0
	start := p.order[i]
	c, toLeft := start, true
	for steps := 0; c != none && steps < 2*len(p.vertex); steps++ {
		if g, ok := p.parallelogram(i, c); ok {
			found[n] = g
			if n++; n == len(found) {
				break
			}
		}
		if toLeft {
			c = p.left(c)
		} else {
			c = p.right(c)
		}
		if c == start {
			break
		}
		if c == none && toLeft {
			toLeft = false
			c = p.right(start)
		}
	}
	used := int32(0)
	for k := range n {
		if p.creaseCount[n-1] == 0 {
			return guess, false, fmt.Errorf("too few creases at value %d", i)
		}
		p.creaseCount[n-1]--
		if p.creases[n-1].next() {
			continue
		}
		used++
		for c := range guess {
			guess[c] += found[k][c]
		}
	}
	guess, ok = p.mean(guess, used)
	return guess, ok, nil
}
