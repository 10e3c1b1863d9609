// Package fit fits a straight line to measurements.
package fit

// Slope is the increase of y per unit of x, by least squares. 0 if all x are equal.
func Slope(x, y []float64) float64 {
	// Relative to the mean, so that large x, such as times, lose no digits.
	mx, my := mean(x), mean(y)
	var xx, xy float64
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(max(1, len(all)))
}
