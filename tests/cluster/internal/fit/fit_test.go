package fit

import "testing"

func TestSlope(t *testing.T) {
	for name, c := range map[string]struct {
		x, y []float64
		want float64
	}{
		"none":            {nil, nil, 0},
		"one":             {[]float64{3}, []float64{4}, 0},
		"the same x":      {[]float64{3, 3}, []float64{4, 5}, 0},
		"a line":          {[]float64{1, 2, 3}, []float64{7, 5, 3}, -2},
		"a wave is level": {[]float64{0, 1, 2, 3, 4}, []float64{1, 2, 1, 2, 1}, 0},
		"large x":         {[]float64{1e15, 1e15 + 1}, []float64{0, 3}, 3},
	} {
		if got := Slope(c.x, c.y); got != c.want {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}
