package network

// A matrix holds the shortest paths of a difference network: to[i][j] is the least w
// with offset(j) <= offset(i) + w.
type matrix struct {
	n    int
	to   []Offset
	hop  []int // first node after i on the path to j, -1 for none
	edge []int // the constraint of that first hop
}

// closure computes all shortest paths (Floyd and Warshall). It returns nil and the
// constraints of a negative cycle where the choice contradicts itself.
func closure(n int, cs []Constraint, choice []Range) (*matrix, []int) {
	m := &matrix{n: n, to: make([]Offset, n*n), hop: make([]int, n*n), edge: make([]int, n*n)}
	for i := range m.to {
		m.to[i], m.hop[i], m.edge[i] = infinite, -1, -1
	}
	for i := range n {
		m.to[i*n+i] = 0
	}
	for k, r := range choice {
		if r.Lo > r.Hi {
			continue
		}
		c := cs[k]
		if r.Hi < High {
			m.relax(c.B, c.A, r.Hi, k)
		}
		if r.Lo > Low {
			m.relax(c.A, c.B, -r.Lo, k)
		}
	}
	for i := range n {
		if m.to[i*n+i] < 0 {
			return nil, m.cycle(i)
		}
	}
	for k := range n {
		for i := range n {
			ik := m.to[i*n+k]
			if ik == infinite {
				continue
			}
			for j := range n {
				if w := plus(ik, m.to[k*n+j]); w < m.to[i*n+j] {
					m.to[i*n+j] = w
					m.hop[i*n+j], m.edge[i*n+j] = m.hop[i*n+k], m.edge[i*n+k]
					if i == j && w < 0 {
						return nil, m.loop(i, k)
					}
				}
			}
		}
	}
	return m, nil
}

// relax takes an edge from u to v.
func (m *matrix) relax(u, v int, w Offset, by int) {
	if i := u*m.n + v; w < m.to[i] {
		m.to[i], m.hop[i], m.edge[i] = w, v, by
	}
}

// cycle is a constraint of a node with itself.
func (m *matrix) cycle(i int) []int { return []int{m.edge[i*m.n+i]} }

// loop is the negative cycle through i and k.
func (m *matrix) loop(i, k int) []int {
	return append(m.path(i, k), m.path(k, i)...)
}

// path is the constraints on the shortest path from i to j.
func (m *matrix) path(i, j int) []int {
	var out []int
	for steps := 0; i != j && steps <= m.n*m.n; steps++ {
		h := m.hop[i*m.n+j]
		if h < 0 {
			break
		}
		out = append(out, m.edge[i*m.n+j])
		i = h
	}
	return out
}

// state reads the ranges against node 0.
func (m *matrix) state() state {
	s := state{make([]Offset, m.n), make([]Offset, m.n), make([][2][]int, m.n)}
	for v := range m.n {
		s.lo[v], s.hi[v] = Low, High
		if w := m.to[v*m.n]; w < infinite { // offset(0) <= offset(v) + w
			s.lo[v], s.by[v][0] = max(Low, -w), m.path(v, 0)
		}
		if w := m.to[v]; w < infinite { // offset(v) <= offset(0) + w
			s.hi[v], s.by[v][1] = min(High, w), m.path(0, v)
		}
	}
	return s
}
