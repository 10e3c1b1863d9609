package swaplog

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
)

// Counters are the lines of /metrics about swaps, by name with labels, of the scheduler with this URL.
func Counters(ctx context.Context, url string) (map[string]float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	values := map[string]float64{}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if name, value, found := strings.Cut(lines.Text(), " "); found && strings.HasPrefix(name, "berth_swap_total{") {
			if values[name], err = strconv.ParseFloat(value, 64); err != nil {
				return nil, err
			}
		}
	}
	return values, lines.Err()
}
